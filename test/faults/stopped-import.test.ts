import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { importOnlineRetail } from '../../server/shop-data/online-retail/import.ts';
import { silent } from '../../server/shop-data/progress.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { dumpOf, emptyShop, sumsOf } from '../shop-data/filled-store.ts';
import { csvFile, manyRows } from '../shop-data/online-retail-csv.ts';

after(stopPostgres);

/** Runs the command; `onWriting` is called when the first orders are imported. */
async function runImport(url: string, file: string, onWriting?: (kill: (signal: NodeJS.Signals) => void) => void) {
  const env = { ...process.env, DATA_DIR: dirname(url), DATABASE_URL: url.startsWith('postgres') ? url : `sqlite:${url}` };
  const child = spawn(process.execPath, ['ops/import.ts', 'online-retail', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    // Only one SIGINT is sent: a second one would end the process at once.
    if (chunk.includes('writing') && !child.killed) onWriting?.((signal) => child.kill(signal));
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, output };
}

for (const engine of engines) {
  test(`an import that is killed and started again gives the same shop as one that was not killed (${engine})`, async (t) => {
    const file = await csvFile(t, manyRows(9000), { packed: true });
    const whole = await emptyShop(t, engine);
    await importOnlineRetail(whole.store, { file, progress: silent });

    const { url, drop } = await createDatabase(engine);
    t.after(drop);
    const killed = await runImport(url, file, (kill) => kill('SIGKILL'));
    assert.equal(killed.signal, 'SIGKILL');
    const stopped = await runImport(url, file, (kill) => kill('SIGINT'));
    assert.equal(stopped.code, 130, stopped.output);
    assert.match(stopped.output, /stopped after \d+ of 1286 invoices; the same command continues from there/);

    const store = openStore({ url, poolSize: 2 });
    t.after(() => store.close());
    await migrate(store);
    const { count } = await store.reader
      .selectFrom('orders')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.ok(count > 0 && count < 1286, `${count} orders after the stop`);
    assert.deepEqual(await sumsOf(store), { wrongOrders: 0, wrongStock: 0, negativeStock: 0 });

    const finished = await runImport(url, file);
    assert.equal(finished.code, 0, finished.output);
    assert.match(finished.output, /every row is accounted for/);
    assert.deepEqual(withoutIds(await dumpOf(store)), withoutIds(await dumpOf(whole.store)));

    const again = await runImport(url, file);
    assert.equal(again.code, 0, again.output);
    assert.match(again.output, /imported completely .*nothing has changed/);
  });
}

/** The rows without their ids, because a killed transaction leaves a gap in PostgreSQL's ids. */
function withoutIds(dump: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [table, rows.map((row) => row.replaceAll(/"(\w+_)?id":\d+,?/g, '')).sort()]),
  );
}
