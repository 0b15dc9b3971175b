import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';

test('the files of an SQLite store are readable by their user alone, whatever their folder and the umask allow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-modes-'));
  await chmod(folder, 0o755);
  const umask = process.umask(0o000);
  const file = join(folder, 'backroom.db');
  const paths = [file, `${file}-wal`, `${file}-shm`];
  const modes = () => Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
  try {
    const store = openStore({ url: file });
    await migrate(store);
    assert.deepEqual(await modes(), ['600', '600', '600']);
    // As an earlier version of the server left them.
    for (const path of paths) await chmod(path, 0o644);
    const again = openStore({ url: file });
    assert.deepEqual(await modes(), ['600', '600', '600']);
    await again.close();
    await store.close();
  } finally {
    process.umask(umask);
    await rm(folder, { recursive: true, force: true });
  }
});
