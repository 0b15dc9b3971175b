import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pino from 'pino';
import { startListeningServer } from '../../ops/processes.ts';
import { openStore } from '../../server/db/open.ts';
import { diskFiles } from '../../server/providers/files/disk.ts';
import { keyPrefix, sweepOrphans } from '../../server/resources/storage/domain.ts';
import { OWNER_TOKEN } from '../helpers/app.ts';

const KILLS = 2;
const SENDERS = 6;
const SIZE = 300_000;
const headers = { authorization: `Bearer ${OWNER_TOKEN}` };

/** Sends one upload after the other until the server has died. */
async function keepUploading(url: string, answered: () => void): Promise<void> {
  for (;;) {
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(SIZE, 'x')]), 'file.bin');
    const answer = await fetch(`${url}/admin/api/files`, { method: 'POST', headers, body: form }).catch(() => null);
    if (answer?.status !== 201) return;
    answered();
    await answer.text().catch(() => undefined);
  }
}

test('a server that is killed during uploads leaves no row without its file, and no file that a sweep does not find', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-killed-'));
  const env = { PORT: '0', DATA_DIR: folder, BOOTSTRAP_ADMIN_TOKEN: OWNER_TOKEN, RATE_LIMIT: '0' };
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await startListeningServer(env);
      const enough = Promise.withResolvers<void>();
      let count = 0;
      const answered = (): void => {
        if (++count > 5 + 8 * kill) enough.resolve();
      };
      const senders = Array.from({ length: SENDERS }, () => keepUploading(server.url, answered));
      await enough.promise;
      await server.stop('SIGKILL');
      await Promise.all(senders);
    }
    const store = openStore({ url: join(folder, 'backroom.db') });
    const files = diskFiles(join(folder, 'files'), await keyPrefix(store));
    const rows = await store.reader.selectFrom('files').select('storage_key').execute();
    assert.ok(rows.length > 0, 'at least one upload must have been stored');
    for (const { storage_key } of rows) {
      const content = await files.open(storage_key);
      assert.equal(content?.sizeBytes, SIZE);
      await content?.close();
    }
    const { used_bytes } = await store.reader.selectFrom('storage_use').select('used_bytes').executeTakeFirstOrThrow();
    assert.equal(used_bytes, rows.length * SIZE);
    await sweepOrphans(store, files, pino({ level: 'silent' }), Date.now() + 7_200_000);
    await store.close();
    const left = await readdir(join(folder, 'files'), { recursive: true });
    assert.equal(left.filter((name) => /[0-9a-f]{40}$/.test(name)).length, rows.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
