import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** Versions from a time when there were no drafts. */

after(stopPostgres);

const AT = '2026-03-01T12:00:00.000Z';

for (const engine of engines) {
  test(`after the migration, versions are as before, and runs still refer to them [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url });
    const apply = (...names: string[]) =>
      store.write(async (db) => {
        for (const name of names) {
          const { statements }: { statements: readonly (string | Record<string, string[]>)[] } = await import(
            `../../server/db/migrations/${name}.ts`
          );
          const texts = statements.flatMap((one) => (typeof one === 'string' ? [store.dialect.ddl(one)] : (one[engine] ?? [])));
          for (const text of texts) await sql.raw(text).execute(db);
        }
      });
    const run = (statement: string) => store.write((db) => sql.raw(statement).execute(db));
    const select = async (text: string) =>
      (await sql.raw<Record<string, unknown>>(text).execute(store.reader)).rows.map((row) => Object.values(row));
    const columns = `task_id, version, source_code, source_sha256, permissions, parameters, warnings, created_by, approved_by, approved_at,
      revoked_at, rejected_at, note, created_at`;
    const version = (task: number, number: string | null, decided: string) =>
      run(`INSERT INTO task_versions (${columns})
        VALUES (${task}, ${number}, 'log(${number})', 'hash ${number}', '["llm"]', '[]', '[]', 7, ${decided}, 'note ${number}', '${AT}')`);
    await apply('0001-shop', '0002-tasks', '0019-approvals', '0036-version-notes', '0038-lists-of-all-tasks');
    for (const name of ['a', 'b']) {
      await run(`INSERT INTO tasks (name, name_folded, description, description_folded, settings, created_at, updated_at)
        VALUES ('${name}', '', '', '', '{}', '${AT}', '${AT}')`);
    }
    await version(1, '1', `8, '${AT}', NULL, NULL`);
    await version(1, '2', `NULL, NULL, '${AT}', NULL`);
    await version(2, '1', `NULL, NULL, NULL, '${AT}'`);
    await run(`INSERT INTO lineages (id, seed, epoch, epoch_started_at, journal_bytes) VALUES ('x', '', 0, '${AT}', 0)`);
    await run(`INSERT INTO runs (task_id, version_id, lineage_id, status, parameters, started_at, attempt, dry_run, record, priority, executor,
        started_by, started_by_admin_id, reported, isolation, log_lines, log_bytes)
      VALUES (1, 2, 'x', 'success', '{}', '${AT}', 1, 0, 0, 0, 'runner', '', 7, 0, '[]', 0, 0)`);
    const before = await select(`SELECT id, ${columns} FROM task_versions ORDER BY id`);
    await apply('0043-drafts');

    const unchanged = await select(`SELECT id, ${columns} FROM task_versions ORDER BY id`);
    const refusals = await Promise.allSettled([run('DELETE FROM task_versions WHERE id = 2'), version(2, '1', 'NULL, NULL, NULL, NULL')]);
    for (const _ of [1, 2]) await version(1, null, `NULL, NULL, NULL, '${AT}'`);
    const drafts = await select('SELECT id, version FROM task_versions WHERE id > 3 ORDER BY id');
    await store.close();
    await database.drop();
    assert.equal(before.length, 3);
    assert.deepEqual(unchanged, before);
    assert.deepEqual(
      refusals.map(({ status }) => status),
      ['rejected', 'rejected'],
      'a version with a run cannot be deleted, and a number is used once',
    );
    assert.deepEqual(
      drafts.map(([, number]) => number),
      [null, null],
    );
  });
}
