import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { Claim } from '../../contract/runner.ts';
import { onBothStores, type RawAnswer, RUNNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { type ClaimedRun, claim, claimedRun, claimRun, codeOf, emptyQueue, lapse, makeTask, openRun } from '../helpers/runs.ts';
import { cancelWaitingRuns } from '../helpers/stored-rows/runs.ts';

const END = [
  { kind: 'log', line: 'the last line' },
  { kind: 'finalize', status: 'success', end_reason: 'completed' },
];
const runner = { name: 'runner-1', version: '1', isolation: ['process'], total_slots: 2 };
const Answer = z.object({ claims: z.array(Claim) });

onBothStores('POST /runner/runs/{run_id}/end: the end of a run and the claim of the next in one request', (app, engine) => {
  let servers: readonly TestApp[];
  before(async () => {
    // On SQLite both names mean one server, because one process owns the file.
    servers = [app(), engine === 'postgres' ? await startApp(engine, { databaseUrl: app().databaseUrl }) : app()];
  });
  after(async () => {
    if (servers[1] !== servers[0]) await servers[1]?.close();
  });

  type Ended = { runId: number; claim: Pick<Claim, 'report_token'> };
  type With = { events?: unknown; token?: string; key?: string; by?: TestApp; name?: string };
  const end = ({ runId, claim: { report_token } }: Ended, { events = END, token = RUNNER_TOKEN, key, by = app(), name }: With = {}) =>
    by.request({
      method: 'POST',
      path: `/admin/api/runner/runs/${runId}/end`,
      body: { events, next: { token, runner: { ...runner, ...(name !== undefined && { name }) } } },
      token: report_token,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const claimsOf = ({ status, body }: RawAnswer): Claim[] => {
    assert.equal(status, 200, JSON.stringify(body));
    return Answer.parse(body).claims;
  };
  const idsOf = (answer: RawAnswer): number[] => claimsOf(answer).map(({ run }) => run.id);
  const get = ({ taskId, runId }: Pick<ClaimedRun, 'taskId' | 'runId'>) => app().client.ai_tasks.get_run(taskId, runId);

  test('the run ends, and the answer has the claim of the next one, which is like any other claim', async () => {
    const run = await claimedRun(app());
    const [later, first] = [await openRun(app()), await openRun(app(), { priority: 1 })];
    const [next] = claimsOf(await end(run));
    assert.equal(next?.run.id, first.runId);
    const ended = await get(run);
    assert.deepEqual(
      [ended.status, ended.end_reason, ended.log],
      ['success', 'completed', JSON.stringify({ kind: 'log', line: 'the last line' })],
    );
    const taken = await get(first);
    assert.deepEqual([taken.status, taken.claimed_by, taken.isolation], ['running', 'runner-1', ['process']]);
    assert.equal((await get(later)).claimed_by, null, 'one run alone is claimed');
    await lapse(app(), first, 'unconfirmed');
    const again = await claimRun(app(), first);
    assert.equal(again.claim.run.attempt, 1, 'a claim that was never confirmed costs no attempt');
  });

  test('an end without a next run is answered at once', async () => {
    const run = await claimedRun(app());
    assert.deepEqual(idsOf(await end(run)), []);
    assert.equal((await get(run)).status, 'success');
  });

  test('its answer is lost: the repeat ends nothing again, and the run that was claimed in vain is offered again', async () => {
    const run = await claimedRun(app());
    const [first, second] = [await openRun(app()), await openRun(app())];
    const lost = claimsOf(await end(run, { key: 'end-1' }));
    assert.deepEqual(
      lost.map((one) => one.run.id),
      [first.runId],
    );
    const repeat = await end(run, { key: 'end-1', by: servers[1] ?? app() });
    assert.equal(repeat.headers['idempotency-replayed'], 'true');
    assert.deepEqual(idsOf(repeat), [second.runId]);
    assert.equal((await get(run)).log.split('\n').length, 1, 'the line was stored once');
    await lapse(app(), first, 'unconfirmed');
    assert.deepEqual(idsOf(await end(run, { key: 'end-1' })), [first.runId]);
    assert.equal((await get(first)).attempt, 1);
    const late = { runId: first.runId, claim: lost[0] ?? assert.fail() };
    assert.deepEqual(codeOf(await end(late)), [409, 'run_fenced'], 'the claim whose answer was lost is over');
    const stored = await app().store.reader.selectFrom('idempotency').select('body').execute();
    assert.ok(!stored.some(({ body }) => body?.includes('report_token')), 'no token of a claim is stored');
  });

  test('the same key with other events is refused, and claims nothing', async () => {
    const run = await claimedRun(app());
    const waiting = await openRun(app());
    assert.deepEqual(idsOf(await end(run, { key: 'end-2' })), [waiting.runId]);
    const other = await openRun(app());
    assert.deepEqual(codeOf(await end(run, { key: 'end-2', events: END.slice(1) })), [422, 'idempotency_key_reused']);
    assert.equal((await get(other)).claimed_by, null);
  });

  test('without a runner’s token the run ends, and nothing is claimed', async () => {
    const made = await app().client.me.create_token({ name: 'r', permissions: ['admin_api.runner.write'] });
    await app().client.me.revoke_token(made.id);
    const staff = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.runner.read'] });
    for (const tokenOf of [
      (run: ClaimedRun) => run.claim.report_token,
      (run: ClaimedRun) => run.claim.token,
      () => made.token ?? '',
      () => staff.token,
      () => 'x',
    ]) {
      const run = await claimedRun(app());
      const waiting = await openRun(app());
      assert.deepEqual(idsOf(await end(run, { token: tokenOf(run) })), []);
      assert.deepEqual([(await get(run)).status, (await get(waiting)).claimed_by], ['success', null]);
    }
  });

  test('what is refused ends nothing and claims nothing', async () => {
    const run = await claimedRun(app());
    const waiting = await openRun(app());
    for (const [events, code] of [
      [[], 'invalid_value'],
      [END.slice(0, 1), 'invalid_value'],
      [[END[1], END[0]], 'invalid_value'],
      [[END[1], END[1]], 'events_after_finalize'],
      [[{ kind: 'finalize', status: 'running' }], 'invalid_value'],
    ] as const)
      assert.deepEqual(codeOf(await end(run, { events })), [422, code], JSON.stringify(events));
    const other = await claim(app(), { name: 'other' });
    assert.deepEqual(
      other.map((one) => one.run.id),
      [waiting.runId],
    );
    assert.deepEqual(
      codeOf(await end({ runId: waiting.runId, claim: run.claim })),
      [403, 'forbidden'],
      'a report token is for its own run',
    );
    assert.deepEqual([(await get(run)).status, (await get(waiting)).status], ['running', 'running']);
    await app().client.ai_tasks.cancel_run(run.taskId, run.runId);
    const more = await openRun(app());
    assert.deepEqual(codeOf(await end(run, { key: 'after-the-end' })), [409, 'run_fenced']);
    assert.equal((await get(more)).claimed_by, null);
  });

  test('the end of a run makes room for the next run of its task, which may have one at a time', async () => {
    await emptyQueue(app());
    const taskId = await makeTask(app(), {}, { concurrency: { limit: 1 } });
    const [first, second] = [await openRun(app(), {}, taskId), await openRun(app(), {}, taskId)];
    const running = await claimRun(app(), first);
    assert.deepEqual(await claim(app()), []);
    assert.deepEqual(idsOf(await end({ ...first, ...running })), [second.runId]);
  });

  test('runners of two servers that end runs at the same time get each run once', async () => {
    await cancelWaitingRuns(app().store);
    const taskId = await makeTask(app());
    const opened = await Promise.all(Array.from({ length: 40 }, async () => (await openRun(app(), {}, taskId)).runId));
    const given: number[] = [];
    const work = async (n: number): Promise<void> => {
      let claims = await claim(servers[n % 2] ?? app(), { name: `runner-${n}` });
      for (let ends = 0; claims.length > 0; ends += 1) {
        const [one] = claims;
        assert.ok(one);
        given.push(one.run.id);
        const ended = { runId: one.run.id, claim: one };
        claims = claimsOf(await end(ended, { key: `${n}-${ends}`, by: servers[(n + ends) % 2] ?? app(), name: `runner-${n}` }));
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, n) => work(n)));
    assert.deepEqual(
      given.toSorted((a, b) => a - b),
      opened.toSorted((a, b) => a - b),
    );
    assert.ok((await app().client.ai_tasks.list_runs(taskId)).every(({ status }) => status === 'success'));
  });
});
