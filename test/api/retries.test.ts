import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetriedReason, type Retry } from '../../contract/tasks.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claim, claimedRun, claimRun, codeOf, field, lapse, makeTask, openRun, passRetryDelay } from '../helpers/runs.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

onBothStores('retries of a run', (app) => {
  const tasks = () => app().client.ai_tasks;
  const get = ({ taskId, runId }: Pick<ClaimedRun, 'taskId' | 'runId'>) => tasks().get_run(taskId, runId);
  type Settings = NonNullable<Parameters<typeof makeTask>[2]>;
  const retried = async (retry: Partial<Retry>, more: Settings = {}, body = {}) =>
    claimedRun(app(), body, await makeTask(app(), {}, { retry, ...more }));
  const fail = (run: Pick<ClaimedRun, 'report'>, more: object = {}) =>
    run.report([{ kind: 'finalize', status: 'failed', end_reason: 'script_error', error_message: 'Error: no luck', ...more }]);
  const secondsUntil = (at: string | null) => (Date.parse(at ?? '') - Date.now()) / SECOND;

  test('a run that fails waits for its next attempt, and shows which one it is and when it comes', async () => {
    const run = await retried({ attempts: 3, first_ms: HOUR, max_ms: 4 * HOUR });
    await run.report([{ kind: 'checkpoint', state: { n: 1 } }]);
    assert.equal((await fail(run)).status, 204);
    const waits = await get(run);
    assert.deepEqual(
      [waits.status, waits.waiting_reason, waits.attempt, waits.attempts, waits.claimed_by, waits.end_reason, waits.error_message],
      ['running', 'retry', 2, 3, null, null, null],
    );
    const seconds = secondsUntil(waits.next_attempt_at);
    assert.ok(seconds > 0.75 * 3600 && seconds <= 3601, `${seconds} s`);
    const lines = waits.log.split('\n').map((line) => field(JSON.parse(line), 'line'));
    assert.equal(lines[0], 'attempt 1 ended failed, script_error: Error: no luck');
    assert.match(String(lines[1]), /^attempt 2 of 3 in (4[89]|5\d|60) min, from checkpoint 1$/);
    assert.deepEqual(await claim(app()), [], 'no runner is offered it before it is due');
    assert.deepEqual(
      (await tasks().list_all_runs({ waiting_reason: 'retry', task_id: run.taskId })).data.map(({ id }) => id),
      [run.runId],
    );
    assert.deepEqual((await tasks().list_all_runs({ waiting_reason: 'prompt', task_id: run.taskId })).data, []);

    await passRetryDelay(app(), run);
    const due = await get(run);
    assert.deepEqual([due.waiting_reason, due.next_attempt_at], ['runners_busy', null]);
    const second = await claimRun(app(), run);
    assert.deepEqual([second.claim.run.attempt, second.claim.checkpoint, second.claim.epoch], [2, { n: 1 }, 1]);
    assert.deepEqual(codeOf(await run.report([])), [409, 'run_fenced']);
    await fail(second);
    const third = secondsUntil((await get(run)).next_attempt_at);
    assert.ok(third > 1.5 * 3600 && third <= 7201, `the delay doubles: ${third} s`);
    await passRetryDelay(app(), run);
    await fail(await claimRun(app(), run));
    const ended = await get(run);
    assert.deepEqual(
      [ended.status, ended.end_reason, ended.error_message, ended.attempt, ended.attempts, ended.next_attempt_at],
      ['failed', 'script_error', 'Error: no luck', 3, 3, null],
    );
    const { notifications } = await app().client.notifications.list();
    assert.equal(notifications.filter(({ metadata }) => metadata?.['run_id'] === run.runId).length, 1, 'only its end is told');
  });

  test('the delay is fixed where the task says so, and is never above max_ms', async () => {
    const fixed = await retried({ attempts: 3, backoff: 'fixed', first_ms: HOUR });
    const grown = await retried({ attempts: 3, first_ms: HOUR, max_ms: HOUR });
    for (const run of [fixed, grown]) {
      await fail(run);
      await passRetryDelay(app(), run);
      await fail(await claimRun(app(), run));
      const seconds = secondsUntil((await get(run)).next_attempt_at);
      assert.ok(seconds > 0.75 * 3600 && seconds <= 3601, `${seconds} s`);
    }
  });

  test('only the listed ends are retried; a run that cannot go on as before never is', async () => {
    for (const [status, reason] of [
      ['failed', 'heap'],
      ['timed_out', 'wall'],
      ['interrupted', 'resume_mismatch'],
    ] as const) {
      const run = await retried({ attempts: 5, on: ['script_error'] });
      await run.report([{ kind: 'finalize', status, end_reason: reason }]);
      assert.deepEqual([(await get(run)).status, (await get(run)).end_reason], [status, reason]);
    }
    for (const reason of RetriedReason.options) {
      if (reason === 'budget') continue;
      const run = await retried({ attempts: 2, first_ms: HOUR, on: [reason] });
      await run.report([{ kind: 'finalize', status: 'failed', end_reason: reason }]);
      assert.equal((await get(run)).waiting_reason, 'retry', reason);
    }
    const taskId = await makeTask(app());
    await refused(tasks().update(taskId, { settings: { retry: { on: ['resume_mismatch' as 'wall'] } } }), 422, 'invalid_enum');
  });

  test('bad settings are refused by name; those that are not given stay', async () => {
    const taskId = await makeTask(app());
    const put = (retry: object) => tasks().update(taskId, { settings: { retry } });
    const usual = { attempts: 1, backoff: 'exponential', first_ms: 10_000, max_ms: HOUR };
    const on = ['script_error', 'lost_runner', 'lost_worker', 'drained'];
    assert.deepEqual((await tasks().get(taskId)).task.settings.retry, { ...usual, on });
    for (const [retry, code, pointer] of [
      [{ attempts: 0 }, 'out_of_range', '/settings/retry/attempts'],
      [{ attempts: 21 }, 'out_of_range', '/settings/retry/attempts'],
      [{ first_ms: -1 }, 'out_of_range', '/settings/retry/first_ms'],
      [{ max_ms: 24 * HOUR + 1 }, 'out_of_range', '/settings/retry/max_ms'],
      [{ max_ms: 9999 }, 'out_of_range', '/settings/retry/max_ms'],
      [{ backoff: 'linear' }, 'invalid_enum', '/settings/retry/backoff'],
      [{ on: ['wall', 'wall'] }, 'duplicate', '/settings/retry/on/1'],
    ] as const) {
      const error = await refused(put(retry), 422, code);
      assert.equal(error.problem?.errors?.[0]?.pointer, pointer);
    }
    const { settings } = await put({ attempts: 20, on: ['wall'] });
    assert.deepEqual(settings.retry, { ...usual, attempts: 20, on: ['wall'] });
    assert.equal(settings.max_attempts, 3);
  });

  test('recoveries and retries are counted apart, and neither uses up the other', async () => {
    const run = await retried({ attempts: 2, on: ['script_error', 'lost_runner'] }, { on_interrupt: 'resume', max_attempts: 2 });
    await fail(run);
    assert.deepEqual([(await get(run)).attempt, (await get(run)).attempts], [2, 2]);
    await passRetryDelay(app(), run);
    await claimRun(app(), run);
    await lapse(app(), run);
    const recovered = await get(run);
    assert.deepEqual([recovered.attempt, recovered.attempts, recovered.waiting_reason], [3, 3, 'runners_busy'], 'it is offered at once');
    await claimRun(app(), run);
    await lapse(app(), run);
    assert.deepEqual([(await get(run)).status, (await get(run)).end_reason], ['interrupted', 'lost_runner']);

    const other = await retried({ attempts: 2, first_ms: HOUR, on: ['lost_runner'] }, { on_interrupt: 'resume', max_attempts: 2 });
    await lapse(app(), other);
    assert.equal((await get(other)).waiting_reason, 'runners_busy');
    await claimRun(app(), other);
    await lapse(app(), other);
    const late = await get(other);
    assert.deepEqual([late.waiting_reason, late.attempt, late.attempts], ['retry', 3, 3], 'what can be recovered no more is retried');
  });

  test('a run that waits can be cancelled, and dies with its version', async () => {
    const run = await retried({ attempts: 5, first_ms: HOUR });
    await fail(run);
    await tasks().cancel_run(run.taskId, run.runId);
    const cancelled = await get(run);
    assert.deepEqual([cancelled.status, cancelled.next_attempt_at, cancelled.waiting_reason], ['cancelled', null, null]);
    await passRetryDelay(app(), run);
    assert.deepEqual(await claim(app()), []);

    const other = await retried({ attempts: 5, first_ms: HOUR });
    await fail(other);
    await tasks().revoke_version(other.taskId, (await get(other)).version_id);
    assert.deepEqual([(await get(other)).status, (await get(other)).end_reason], ['cancelled', 'revoked']);
  });

  test('a run that waits keeps its place among the runs of its task', async () => {
    const run = await retried({ attempts: 3, first_ms: HOUR }, { concurrency: { limit: 1 } });
    await fail(run);
    const next = await openRun(app(), {}, run.taskId);
    assert.deepEqual(await claim(app()), []);
    assert.equal((await get(next)).waiting_reason, 'concurrency');
    await passRetryDelay(app(), run);
    await claimRun(app(), run);
    assert.deepEqual(await claim(app()), [], 'the older run has come first');
  });

  test('each effect happens once over all attempts; after a write the answers stay', async () => {
    const { id } = await makeCustomer(app());
    const run = await retried({ attempts: 3, first_ms: 0 });
    const note = (side: Pick<ClaimedRun, 'call'>, body: string) => side.call('POST', `/customers/${id}/notes`, { body });
    assert.equal((await note(run, 'one')).status, 201);
    assert.equal((await run.call('GET', `/customers/${id + 1_000_000}`)).status, 404);
    await fail(run);
    await passRetryDelay(app(), run);
    const second = await claimRun(app(), run);
    assert.equal((await note(second, 'one')).headers['idempotency-replayed'], 'true');
    assert.equal((await second.call('GET', `/customers/${id + 1_000_000}`)).headers['idempotency-replayed'], 'true');
    assert.equal((await note(second, 'two')).status, 201);
    assert.deepEqual(
      (await app().client.customers.list_notes(id)).map(({ body }) => body),
      ['two', 'one'],
    );
  });

  test('an attempt that wrote nothing since its checkpoint is followed by one that asks everything anew', async () => {
    const { id } = await makeCustomer(app());
    const run = await retried({ attempts: 3, first_ms: 0, on: ['script_error', 'wall'] });
    await run.call('POST', `/customers/${id}/notes`, { body: 'one' });
    await run.report([{ kind: 'checkpoint', state: {} }]);
    const ask = (side: Pick<ClaimedRun, 'call'>) => side.call('GET', `/customers/${id}/notes`, undefined, { epoch: 1 });
    assert.equal((await ask(run)).status, 200);
    assert.equal((await run.call('POST', `/customers/${id}/notes`, { body: ' ' }, { epoch: 1 })).status, 422);
    await run.report([{ kind: 'finalize', status: 'timed_out', end_reason: 'wall' }]);
    await passRetryDelay(app(), run);
    const second = await claimRun(app(), run);
    assert.equal((await ask(second)).headers['idempotency-replayed'], 'true', 'an attempt that had no time goes on where it was');
    await fail(second);
    await app().client.customers.create_note(id, { body: 'from outside' });
    await passRetryDelay(app(), run);
    const answer = await ask(await claimRun(app(), run));
    assert.equal(answer.headers['idempotency-replayed'], undefined);
    assert.deepEqual(
      JSON.parse(answer.text).map((one: unknown) => field(one, 'body')),
      ['from outside', 'one'],
    );
  });

  test('an attempt after cpu, wall or budget has that limit anew, and that limit alone', async () => {
    const used = { cpu_ms: 700, wall_ms: 9000, host_calls: 2 };
    for (const [reason, status, left] of [
      ['cpu', 'failed', { ...used, cpu_ms: 0 }],
      ['wall', 'timed_out', { ...used, wall_ms: 0 }],
      ['budget', 'interrupted', { ...used, host_calls: 0 }],
      ['script_error', 'failed', used],
    ] as const) {
      const run = await retried({ attempts: 3, first_ms: 0, on: [reason] }, { limits: { host_calls: 2 } });
      for (const n of [0, 1]) await run.call('GET', '/customers', undefined, { occurrence: n });
      const events = [{ kind: 'finalize', status, end_reason: reason }];
      await app().request({ method: 'PATCH', path: run.path, token: run.claim.report_token, body: { events, used } });
      await passRetryDelay(app(), run);
      const { claim: next } = await claimRun(app(), run);
      assert.deepEqual(next.used, left, reason);
    }
  });

  test('the server ends an attempt at its host calls, and the next goes on with as many; a run that has made its writes ends', async () => {
    const { id } = await makeCustomer(app());
    const retry = { attempts: 2, first_ms: HOUR, on: ['budget' as const] };
    const run = await retried(retry, { limits: { host_calls: 1 } });
    const read = (side: Pick<ClaimedRun, 'call'>, page: number) => side.call('GET', `/customers?page=${page}`);
    await read(run, 1);
    assert.deepEqual(codeOf(await read(run, 2)), [409, 'budget_spent']);
    assert.equal((await get(run)).waiting_reason, 'retry');
    await passRetryDelay(app(), run);
    const second = await claimRun(app(), run);
    assert.equal((await read(second, 1)).headers['idempotency-replayed'], 'true');
    assert.equal((await read(second, 2)).status, 200);
    assert.deepEqual(codeOf(await read(second, 3)), [409, 'budget_spent']);
    assert.deepEqual([(await get(run)).status, (await get(run)).end_reason], ['interrupted', 'budget'], 'attempts × limit is all there is');

    const writer = await retried(retry, { limits: { writes: 1 } });
    await writer.call('POST', `/customers/${id}/notes`, { body: 'one' });
    assert.deepEqual(codeOf(await writer.call('POST', `/customers/${id}/notes`, { body: 'two' })), [409, 'budget_spent']);
    assert.deepEqual([(await get(writer)).status, (await get(writer)).end_reason], ['interrupted', 'budget']);
  });

  test('RetryAfter is given at least the time that it asks for, whatever `on` says; without an attempt left the run fails and says so', async () => {
    const run = await retried({ attempts: 2, first_ms: 0, on: [] });
    await fail(run, { retry_after_ms: HOUR });
    const waits = await get(run);
    assert.equal(waits.waiting_reason, 'retry');
    assert.ok(secondsUntil(waits.next_attempt_at) > 3590);
    await passRetryDelay(app(), run);
    await fail(await claimRun(app(), run), { retry_after_ms: HOUR });
    const ended = await get(run);
    assert.deepEqual([ended.status, ended.end_reason], ['failed', 'script_error']);
    assert.equal(
      ended.error_message,
      'Error: no luck\nRetryAfter asked for another attempt, but no attempt is left (settings.retry.attempts of the task is 2)',
    );
    const odd = await retried({ attempts: 2 });
    assert.deepEqual(codeOf(await fail(odd, { retry_after_ms: 24 * HOUR + 1 })), [422, 'out_of_range']);
  });

  test('a dry run is not retried, and says so; nor is a run of a client', async () => {
    const dry = await retried({ attempts: 5 }, {}, { dry_run: true });
    await fail(dry, { retry_after_ms: 1 });
    const { status, error_message } = await get(dry);
    assert.deepEqual(
      [status, error_message],
      ['failed', 'Error: no luck\nRetryAfter asked for another attempt, but a dry run is not retried'],
    );
    const mine = await openRun(app(), { executor: 'external' }, dry.taskId);
    await tasks().append_run_events(mine.taskId, mine.runId, {
      events: [{ kind: 'finalize', status: 'failed', end_reason: 'script_error', retry_after_ms: 1 }],
    });
    assert.equal((await get(mine)).status, 'failed');
  });

  test('an answer that comes while the run waits for its next attempt does not hasten it', async () => {
    const taskId = await makeTask(app(), { permissions: ['prompt_input'] }, { retry: { attempts: 2, first_ms: HOUR } });
    const run = await claimedRun(app(), {}, taskId);
    const path = `/admin/api/runner/runs/${run.runId}/prompts`;
    const body = { key: `0/${'a'.repeat(64)}/0`, label: 'Sure?', fields: [] };
    const asked = await app().request({ method: 'POST', path, token: run.claim.report_token, body });
    await fail(run);
    assert.equal((await get(run)).waiting_reason, 'retry');
    await tasks().answer_prompt(taskId, run.runId, Number(field(asked.body, 'id')), { answers: {} });
    assert.equal((await get(run)).waiting_reason, 'retry');
    assert.deepEqual(await claim(app()), []);
  });
});
