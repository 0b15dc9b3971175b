import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { applyUpTo, releases } from './old-stores.ts';

/** Runs from a time when only `started_by` told who had chosen their parameters. */

after(stopPostgres);

const AT = '2026-03-01T12:00:00.000Z';

for (const engine of engines) {
  test(`after the migration, runs of scripts and hooks, and those that repeat them, withhold their parameters [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url });
    const run = (text: string) => store.write((db) => sql.raw(text).execute(db));
    await applyUpTo(store, releases[releases.indexOf('0071-foreign-parameters') - 1] ?? '');
    await run(`INSERT INTO tasks (name, name_folded, description, description_folded, settings, created_at, updated_at)
      VALUES ('a', '', '', '', '{}', '${AT}', '${AT}')`);
    await run(`INSERT INTO task_versions
        (task_id, version, source_code, source_sha256, permissions, parameters, warnings, created_by, created_at)
      VALUES (1, 1, '', '', '["llm"]', '[]', '[]', 7, '${AT}')`);
    const opened = async (lineage: string, startedBy: string, { from = 'NULL', replayed = 'NULL' } = {}) => {
      await run(`INSERT INTO runs (task_id, version_id, lineage_id, status, parameters, started_at, attempt, dry_run, record, priority,
          executor, started_by, started_by_admin_id, reported, isolation, log_lines, log_bytes, resumed_from_run_id, replay_of_run_id)
        VALUES (1, 1, '${lineage}', 'success', '{}', '${AT}', 1, 0, 0, 0, 'runner', '${startedBy}', 7, 0, '[]', 0, 0, ${from}, ${replayed})`);
    };
    const lineages: [string, string | null][] = [
      ['admin', '[]'],
      ['script', '["llm"]'],
      ['hook', '["llm","mail_send"]'],
      ['bare', '[]'],
      ['old', null],
      ['replay', '[]'],
    ];
    for (const [id, permissions] of lineages) {
      await run(`INSERT INTO lineages (id, seed, epoch, epoch_started_at, journal_bytes, permissions)
        VALUES ('${id}', '', 0, '${AT}', 0, ${permissions === null ? 'NULL' : `'${permissions}'`})`);
    }
    await opened('admin', 'admin:7');
    await opened('script', 'run:1');
    await opened('script', 'admin:7', { from: '2' });
    await opened('hook', 'hook:5');
    await opened('hook', 'admin:7', { from: '4' });
    await opened('bare', 'hook:6');
    await opened('old', 'hook:7');
    await opened('replay', 'admin:7', { replayed: '5' });
    await migrate(store);
    const { rows } = await sql<{ id: number; foreign_parameters: number }>`
      SELECT id, foreign_parameters FROM runs ORDER BY id`.execute(store.reader);
    const { rows: kept } = await sql<{ id: string; permissions: string | null }>`SELECT id, permissions FROM lineages`.execute(
      store.reader,
    );
    await store.close();
    await database.drop();
    assert.deepEqual(
      rows.map((row) => row.foreign_parameters),
      [0, 1, 1, 1, 1, 1, 1, 1],
    );
    assert.deepEqual(Object.fromEntries(kept.map(({ id, permissions }) => [id, permissions])), {
      admin: '[]',
      script: '["llm"]',
      hook: '["hook:5","llm","mail_send"]',
      bare: '["hook:6"]',
      old: '["hook:7","llm"]',
      replay: '["hook:5"]',
    });
  });
}
