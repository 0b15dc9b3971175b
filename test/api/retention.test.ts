import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { insertCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun } from '../helpers/runs.ts';

const DAY_MS = 86_400_000;

onBothStores('retention of journals and runs (§3)', (app) => {
  const tasks = () => app().client.ai_tasks;
  const sweepAfter = (days: number) => sweepOld(app().store, Date.now() + days * DAY_MS);

  async function interrupted(): Promise<ClaimedRun> {
    const { id } = await insertCustomer(app().store);
    const run = await claimedRun(app());
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: 'once' })).status, 201);
    await run.report([
      { kind: 'log', line: 'hello' },
      { kind: 'finalize', status: 'interrupted', end_reason: 'drained', error_message: null },
    ]);
    return run;
  }

  async function rowsOf({ runId, claim }: ClaimedRun): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const [table, column, value] of [
      ['journal', 'lineage_id', claim.lineage_id],
      ['run_events', 'run_id', runId],
      ['run_effects', 'run_id', runId],
      ['run_claims', 'run_id', runId],
      ['runs', 'id', runId],
      ['lineages', 'id', claim.lineage_id],
    ] as const) {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${value}`.execute(app().store.reader);
      counts[table] = Number(rows[0]?.n);
    }
    return counts;
  }

  test('a journal is kept for 7 days; a run without one cannot be resumed, but read', async () => {
    const run = await interrupted();
    await sweepAfter(6.9);
    assert.equal((await rowsOf(run))['journal'], 1);
    await sweepAfter(7.1);
    assert.deepEqual(await rowsOf(run), { journal: 0, run_events: 1, run_effects: 1, run_claims: 1, runs: 1, lineages: 1 });
    await refused(tasks().start_run(run.taskId, { resume_run_id: run.runId }), 409, 'journal_expired');
    assert.match((await tasks().get_run(run.taskId, run.runId)).log, /hello/);
  });

  test('runs, their logs and effects are kept for 90 days, those that are open for ever', async () => {
    const [run, open] = [await interrupted(), await claimedRun(app())];
    await sweepAfter(89.9);
    assert.equal((await rowsOf(run))['runs'], 1);
    await sweepAfter(90.1);
    assert.deepEqual(await rowsOf(run), { journal: 0, run_events: 0, run_effects: 0, run_claims: 0, runs: 0, lineages: 0 });
    await refused(tasks().get_run(run.taskId, run.runId), 404, 'not_found');
    assert.equal((await tasks().get_run(open.taskId, open.runId)).status, 'running');
    assert.equal((await open.report([{ kind: 'log', line: 'still here' }])).status, 204);
  });

  test('the settings say for how long', async () => {
    await app().client.settings.update({ journal_days: 1, run_days: 2 });
    const run = await interrupted();
    await sweepAfter(1.1);
    await refused(tasks().start_run(run.taskId, { resume_run_id: run.runId }), 409, 'journal_expired');
    assert.equal((await rowsOf(run))['runs'], 1);
    await sweepAfter(2.1);
    assert.equal((await rowsOf(run))['runs'], 0);
  });
});
