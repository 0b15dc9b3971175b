import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claim, claimedRun, claimRun, makeTask, openRun } from '../helpers/runs.ts';
import { forgetEventsThatWait, storeEventTriedLater, storeLogEntries, storeQueuedAndSent } from '../helpers/stored-rows/outbox.ts';
import { endAllClaims, letRunnersBeSilent } from '../helpers/stored-rows/runs.ts';

const DAY_MS = 86_400_000;

onBothStores('retention of journals and runs (RU9)', (app) => {
  const tasks = () => app().client.ai_tasks;
  const sweepAfter = (days: number) => sweepOld(app().store, Date.now() + days * DAY_MS);

  async function interrupted(): Promise<ClaimedRun> {
    const { id } = await makeCustomer(app());
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

  test('a journal is kept for 7 days; without it a run can be read but not resumed', async () => {
    const run = await interrupted();
    await sweepAfter(6.9);
    assert.equal((await rowsOf(run))['journal'], 1);
    await sweepAfter(7.1);
    assert.deepEqual(await rowsOf(run), { journal: 0, run_events: 1, run_effects: 1, run_claims: 1, runs: 1, lineages: 1 });
    await refused(tasks().start_run(run.taskId, { resume_run_id: run.runId }), 409, 'journal_expired');
    assert.match((await tasks().get_run(run.taskId, run.runId)).log, /hello/);
  });

  test('ended runs are kept with logs and effects for 90 days, open runs for ever', async () => {
    const [run, open] = [await interrupted(), await claimedRun(app())];
    await sweepAfter(89.9);
    assert.equal((await rowsOf(run))['runs'], 1);
    await sweepAfter(90.1);
    assert.deepEqual(await rowsOf(run), { journal: 0, run_events: 0, run_effects: 0, run_claims: 0, runs: 0, lineages: 0 });
    await refused(tasks().get_run(run.taskId, run.runId), 404, 'not_found');
    assert.equal((await tasks().get_run(open.taskId, open.runId)).status, 'running');
    assert.equal((await open.report([{ kind: 'log', line: 'still here' }])).status, 204);
  });

  test('UN2: how rows were is kept with the effects of their run, the plan of an undo as long as a journal', async () => {
    const run = await interrupted();
    const old = await tasks().undo_run(run.taskId, run.runId, {});
    await sweepAfter(7.1);
    await refused(tasks().list_undo(run.taskId, old.run_id), 409, 'journal_expired');
    await refused(tasks().apply_run(run.taskId, old.run_id), 409, 'journal_expired');
    const plan = await tasks().undo_run(run.taskId, run.runId, {});
    assert.equal(plan.rows.ready, 1);
    await tasks().apply_run(run.taskId, plan.run_id);
    await sweepAfter(90.1);
    await refused(tasks().undo_run(run.taskId, run.runId, {}), 404, 'not_found');
    assert.deepEqual(await app().store.reader.selectFrom('effect_images').selectAll().execute(), []);
  });

  test('the settings journal_days and run_days change the retention', async () => {
    await app().client.settings.update({ journal_days: 1, run_days: 2 });
    const run = await interrupted();
    await sweepAfter(1.1);
    await refused(tasks().start_run(run.taskId, { resume_run_id: run.runId }), 409, 'journal_expired');
    assert.equal((await rowsOf(run))['runs'], 1);
    await sweepAfter(2.1);
    assert.equal((await rowsOf(run))['runs'], 0);
  });
});

onBothStores('retention of runners', (app) => {
  const names = async () =>
    (await app().store.reader.selectFrom('runners').select('name').orderBy('name').execute()).map(({ name }) => name);
  const sweepAfter = (days: number) => sweepOld(app().store, Date.now() + days * DAY_MS);

  test('a runner that was not seen for a week is forgotten, unless it works on a run or no other was seen since', async () => {
    await claim(app(), { name: 'gone' });
    const run = await openRun(app());
    await claimRun(app(), run, { name: 'at-work' });
    await letRunnersBeSilent(app().store);
    await claim(app(), { name: 'latest' });
    await sweepAfter(6.9);
    assert.deepEqual(await names(), ['at-work', 'latest']);
    const { runners } = await app().client.runner.status();
    assert.deepEqual(
      runners.map(({ name, running }) => [name, running]),
      [
        ['at-work', 1],
        ['latest', 0],
      ],
      'the status shows a runner whose slots are taken, however long ago it asked for work',
    );
    await sweepAfter(7.1);
    assert.deepEqual(await names(), ['at-work', 'latest'], 'the one seen last stays: /readyz tells when that was');
    await app().client.ai_tasks.cancel_run(run.taskId, run.runId);
    await endAllClaims(app().store);
    await sweepAfter(7.1);
    assert.deepEqual(await names(), ['latest']);
  });
});

onBothStores('retention of logs, notifications, events, mails and the audit log', (app) => {
  const settings = () => app().client.settings;
  const sweepAfter = (days: number) => sweepOld(app().store, Date.now() + days * DAY_MS);
  const idsOf = async (table: 'log_entries' | 'notifications' | 'notification_reads' | 'domain_events' | 'mails' | 'audit_log') =>
    (
      await sql<{
        id: number;
      }>`SELECT ${sql.ref(table === 'notification_reads' ? 'notification_id' : 'id')} AS id FROM ${sql.table(table)}`.execute(
        app().store.reader,
      )
    ).rows.map(({ id }) => id);

  test('log entries are kept for a year, notifications and their read marks for half a year', async () => {
    const { store, client } = app();
    await storeLogEntries(store, 1100);
    await client.me.create_token({ name: 'Told' });
    await client.notifications.mark_all_read();
    await sweepAfter(179.9);
    assert.ok((await idsOf('notifications')).length > 0);
    await sweepAfter(180.1);
    assert.deepEqual([await idsOf('notifications'), await idsOf('notification_reads')], [[], []]);
    assert.equal((await client.notifications.list()).unread_count, 0);
    await sweepAfter(364.9);
    assert.ok((await idsOf('log_entries')).length > 1100);
    await sweepAfter(365.1);
    assert.deepEqual(await idsOf('log_entries'), []);
    assert.equal((await client.logs.list()).total, 0);
  });

  test('events and mails that are still waiting are kept, however old they are', async () => {
    const { store, client } = app();
    const { id: customerId } = await makeCustomer(app());
    const taskId = await makeTask(app());
    const trigger = await client.ai_tasks.create_trigger(taskId, { event: 'inquiry.received', enabled: false });
    const waiting = await storeEventTriedLater(store, trigger.id, customerId);
    const queued = await storeQueuedAndSent(store);
    await sweepAfter(29.9);
    assert.equal((await idsOf('mails')).length, 2);
    await sweepAfter(3000);
    assert.deepEqual([await idsOf('mails'), await idsOf('domain_events')], [[queued], [waiting]]);
    await settings().update({ event_days: 1 });
    await forgetEventsThatWait(store);
    await sweepAfter(1.1);
    assert.deepEqual(await idsOf('domain_events'), []);
  });

  test('the audit log is kept for ever unless an owner sets audit_days', async () => {
    await settings().update({ shop_name: 'Kiosk' });
    const { length } = await idsOf('audit_log');
    assert.ok(length > 0);
    await sweepAfter(36_000);
    assert.equal((await idsOf('audit_log')).length, length);
    const staff = await person(app(), { permissions: ['admin_api.settings.write'] });
    await refused(app().clientFor(staff.token).settings.update({ audit_days: 30 }), 403, 'forbidden');
    await refused(settings().update({ audit_days: 29 }), 422, 'out_of_range');
    await refused(settings().update({ event_days: 0 }), 422, 'out_of_range');
    await settings().update({ audit_days: 30, log_days: null, notification_days: null });
    await sweepAfter(29.9);
    assert.ok((await idsOf('audit_log')).length > length);
    const logged = await idsOf('log_entries');
    await sweepAfter(30.1);
    assert.deepEqual(await idsOf('audit_log'), []);
    await sweepAfter(4000);
    assert.deepEqual(await idsOf('log_entries'), logged);
  });
});
