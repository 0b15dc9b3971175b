import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import type { Replay } from '../../contract/replays.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import type { WholeRun } from '../../contract/runs.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Fate as FaultFate, openFaultProxy } from '../helpers/fault-proxy.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { countRows, makeTask } from '../helpers/runs.ts';

/** Uses everything that a script takes from outside: answers, clock, random numbers, once, sleep; concurrently and over checkpoints. */
const SOURCE = `
const path = '/customers/' + parameters.id;
let { round } = last_checkpoint ?? { round: 0 };
log('begun', round, new Date().toISOString(), performance.now(), performance.timeOrigin);
const names = await once('names', async () => [(await admin_api.get('/customers?limit=3')).body.total]);
for (; round < 3; round += 1) {
  await Promise.all([0, 1, 2, 3].map(async (n) => {
    const { body } = await admin_api.get(path + '/credits?_n=' + n);
    log(n, body.credits, Date.now(), Math.random());
    // Which of two answers comes first is no business of a script that may be killed.
    await admin_api.post(path + '/notes', { body: [round, n, ...(parameters.killed ? [] : [Date.now(), Math.random()])].join(' ') });
  }));
  await admin_api.post(path + '/notes', { body: Date.now() + ' ' + Math.random() });
  await sleep(round === 1 && !parameters.brief ? 1000 : 20.5);
  const ticking = setInterval(() => log('tick', round, Date.now(), Math.random()), 8);
  setTimeout(() => log('never'), 600_000);
  await new Promise((done) => setTimeout(done, round === 2 ? 1000 : 20.5));
  clearInterval(ticking);
  await admin_api.post(path + '/credits/adjust', { delta: 5 });
  const refused = await admin_api.post(path + '/credits/adjust', { delta: -1_000_000 }).catch((error) => error.code);
  result('round', 'round ' + round, { refused, at: Date.now() });
  progress(round, 3);
  describe('Round ' + round + ' at ' + Date.now());
  details('# Round ' + round + ' ' + Math.random());
  await checkpoint({ round: round + 1 });
}
export default () => ({ names: names.length, last: Math.random(), at: Date.now() });
`;

onBothStores('replays', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const tasks = (): TestApp['client']['ai_tasks'] => app().client.ai_tasks;
  const replays = (): TestApp['client']['replays'] => app().client.replays;

  type Recorded = { taskId: number; runId: number; run: WholeRun };

  async function record(source: string, parameters: JsonObject = {}, fate?: Fate): Promise<Recorded> {
    const taskId = await makeTask(
      app(),
      { source_code: source, permissions: ['admin_api.customers.write'] },
      { on_interrupt: 'resume', max_attempts: 100 },
    );
    const { run_id: runId } = await tasks().start_run(taskId, { parameters, record: true });
    return { taskId, runId, run: await runner.finish(taskId, runId, fate) };
  }

  async function replay({ taskId, runId }: Recorded, versionId?: number, fate?: Fate): Promise<{ run: WholeRun; report: Replay }> {
    const { run_id } = await replays().start(taskId, runId, versionId === undefined ? {} : { version_id: versionId });
    const run = await runner.finish(taskId, run_id, fate);
    return { run, report: await replays().get(taskId, run_id) };
  }

  async function addVersion(
    taskId: number,
    source: string,
    permissions: 'admin_api.customers.write'[] = ['admin_api.customers.write'],
  ): Promise<number> {
    return (await tasks().create_version(taskId, { source_code: source, permissions, parameters: [] })).version_id;
  }

  const linesOf = (run: WholeRun, kind: string): string[] => run.log.split('\n').filter((line) => line.startsWith(`{"kind":"${kind}"`));

  test('Replay: the same version repeats the recorded run exactly and writes nothing in the shop', async () => {
    const { id } = await makeCustomer(app());
    const recorded = await record(SOURCE, { id });
    assert.equal(recorded.run.status, 'success', recorded.run.error_message ?? '');
    await app().client.customers.adjust_credits(id, { delta: 1000 });
    const rows = await countRows(app());
    const { run, report } = await replay(recorded);
    assert.deepEqual([report.identical, report.ended, report.log.first_difference], [true, 'completed', null]);
    assert.deepEqual([run.status, run.result, run.replay_of_run_id], ['success', recorded.run.result, recorded.runId]);
    assert.match(run.description ?? '', /^Round 2 at \d+$/);
    assert.deepEqual([run.description, run.details], [recorded.run.description, recorded.run.details]);
    for (const kind of ['log', 'result', 'admin_api']) assert.deepEqual(linesOf(run, kind), linesOf(recorded.run, kind));
    assert.deepEqual([report.calls.same, report.effects.same], [34, 18]);
    const after = await countRows(app());
    for (const table of ['customer_notes', 'credit_transactions', 'journal', 'run_effects', 'notifications', 'domain_events']) {
      assert.equal(after[table], rows[table], table);
    }
    assert.equal((await tasks().get_run(recorded.taskId, recorded.runId)).log, recorded.run.log);
  });

  test('Replay: a run that lost workers replays identically, also when the replay loses workers', async () => {
    const { id } = await makeCustomer(app());
    let messages = 0;
    const recorded = await record(SOURCE, { id, killed: true }, () => [9, 33, 47].includes(++messages));
    assert.deepEqual([recorded.run.status, recorded.run.attempt], ['success', 4], recorded.run.error_message ?? '');
    const { run, report } = await replay(recorded);
    assert.deepEqual(report.log, { identical: true, first_difference: null });
    assert.ok(report.identical, JSON.stringify(report));
    assert.deepEqual(run.result, recorded.run.result);
    messages = 0;
    const again = await replay(recorded, undefined, () => [12, 30].includes(++messages));
    assert.ok(again.report.identical, JSON.stringify(again.report));
    assert.ok(again.run.attempt > 1);
  });

  test('Replay: a resumed run is replayed from its checkpoint, an interrupted one to the point where it ended', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(app(), { source_code: SOURCE, permissions: ['admin_api.customers.write'] });
    const { run_id: first } = await tasks().start_run(taskId, { parameters: { id, killed: true, brief: true }, record: true });
    let messages = 0;
    assert.equal((await runner.finish(taskId, first, () => ++messages === 45)).end_reason, 'lost_worker');
    const { run_id: second } = await tasks().start_run(taskId, { resume_run_id: first });
    const run = await runner.finish(taskId, second);
    assert.deepEqual([run.status, run.record], ['success', true], run.error_message ?? '');
    const whole = await replay({ taskId, runId: second, run });
    assert.ok(whole.report.identical, JSON.stringify(whole.report));
    assert.deepEqual(linesOf(whole.run, 'log'), linesOf(run, 'log').slice(1), 'all lines but the one that names the checkpoint');
    assert.deepEqual([whole.run.result, whole.run.last_checkpoint], [run.result, run.last_checkpoint]);
    const part = await replay({ taskId, runId: first, run });
    assert.deepEqual([part.report.identical, part.report.ended], [true, 'recording_ended'], JSON.stringify(part.report));
    assert.equal(part.run.end_reason, 'replay_parted');
    assert.deepEqual(linesOf(part.run, 'result'), linesOf(await tasks().get_run(taskId, first), 'result'));
  });

  const WELCOME = `for (const id of parameters.ids) await admin_api.post('/customers/' + id + '/notes', { body: 'Welcome' }); log('done');`;

  async function recordWelcome(count: number): Promise<Recorded & { ids: number[] }> {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push((await makeCustomer(app())).id);
    return { ...(await record(WELCOME, { ids })), ids };
  }

  test('Replay: another version gives a report of changed, added and missing calls and effects; sleeps are skipped', async () => {
    const { ids, ...recorded } = await recordWelcome(3);
    const [first = 0, second = 0, third = 0] = ids;
    const note = (id: number, body: string) => ({
      epoch: 0,
      method: 'POST',
      path: `/customers/${id}/notes`,
      body: JSON.stringify({ body }),
    });
    const changed = await replay(
      recorded,
      await addVersion(recorded.taskId, `await sleep(3_600_000); ${WELCOME.replace('Welcome', 'Hello')}`),
    );
    assert.deepEqual([changed.report.identical, changed.report.ended], [false, 'completed']);
    assert.deepEqual(changed.report.effects, {
      same: 0,
      changed: 3,
      added: 0,
      missing: 0,
      changes: ids.map((id) => ({ ...note(id, 'Hello'), recorded_body: '{"body":"Welcome"}' })),
      additions: [],
      omissions: [],
    });
    assert.deepEqual(changed.report.calls, changed.report.effects);
    assert.equal(changed.run.status, 'success');

    const fewer = await replay(recorded, await addVersion(recorded.taskId, WELCOME.replace('ids)', 'ids.slice(1))')));
    assert.deepEqual([fewer.report.identical, fewer.report.ended, fewer.report.calls.same], [false, 'completed', 2]);
    assert.deepEqual(fewer.report.effects.omissions, [note(first, 'Welcome')]);

    const more = await replay(
      recorded,
      await addVersion(recorded.taskId, WELCOME.replaceAll("'/notes'", "(id === parameters.ids[1] ? '/credits/adjust' : '/notes')")),
    );
    assert.deepEqual([more.report.identical, more.report.ended, more.report.calls.same], [false, 'parted', 1]);
    assert.deepEqual(more.report.calls.additions, [{ ...note(second, 'Welcome'), path: `/customers/${second}/credits/adjust` }]);
    assert.deepEqual(more.report.calls.omissions, [note(second, 'Welcome'), note(third, 'Welcome')]);
    assert.deepEqual(
      [more.run.status, more.run.end_reason, more.run.error_message],
      ['interrupted', 'replay_parted', `the recording has no answer to POST /customers/${second}/credits/adjust`],
    );
  });

  test('Replay: recorded calls are found even if the version makes them in another order or epoch', async () => {
    const { ids, ...recorded } = await recordWelcome(4);
    const source = WELCOME.replace('parameters.ids)', 'parameters.ids.toReversed())').replace(
      " log('done')",
      " await checkpoint({}); log('done')",
    );
    const { report } = await replay(
      recorded,
      await addVersion(recorded.taskId, source.replace("{ body: 'Welcome' });", "{ body: 'Welcome' }), await checkpoint({});")),
    );
    assert.deepEqual([report.calls.same, report.calls.missing, report.ended, report.log.identical], [ids.length, 0, 'completed', false]);
  });

  test('Replay: a version without the permission gets a PermissionError, and the report shows different logs and results', async () => {
    const { taskId, ...recorded } = await recordWelcome(1);
    const versionId = await addVersion(taskId, `try { ${WELCOME} } catch (error) { log(error.name); } result('a', 'b');`, []);
    const { report, run } = await replay({ taskId, ...recorded }, versionId);
    assert.deepEqual(linesOf(run, 'log'), ['{"kind":"log","line":"PermissionError"}']);
    assert.deepEqual(report.log.first_difference, {
      line: 1,
      recorded: '{"kind":"log","line":"done"}',
      replayed: '{"kind":"log","line":"PermissionError"}',
    });
    assert.deepEqual([report.calls.missing, report.results.added, report.results.additions.length], [1, 1, 1]);
  });

  test('Replay: a replay continues after a lost worker; it cannot be resumed, recorded or driven by a client', async () => {
    const { ids, ...recorded } = await recordWelcome(2);
    let messages = 0;
    const { report, run } = await replay(recorded, undefined, () => ++messages === 3);
    assert.deepEqual([run.attempt, report.identical, report.calls.same], [2, true, ids.length]);
    const parted = await replay(recorded, await addVersion(recorded.taskId, `await admin_api.get('/customers/1/credits')`));
    await assert.rejects(tasks().start_run(recorded.taskId, { resume_run_id: parted.run.id }), { code: 'not_interrupted' });
    const { run_id } = await replays().start(recorded.taskId, recorded.runId);
    await assert.rejects(tasks().append_run_events(recorded.taskId, run_id, { events: [] }), { code: 'run_claimed' });
    await assert.rejects(replays().get(recorded.taskId, run_id), { code: 'run_not_ended' });
    await assert.rejects(replays().start(recorded.taskId, run_id), { code: 'not_recorded' });
    await tasks().cancel_run(recorded.taskId, run_id);
    assert.deepEqual([(await replays().get(recorded.taskId, run_id)).ended], ['interrupted']);
    const { tasks: list } = await tasks().list({});
    assert.equal(list.find(({ id }) => id === recorded.taskId)?.last_run_status, 'success', 'a replay is not the last run of its task');
  });

  test('Replay: a recorded artifact is not stored again; a different one is stored for the replay', async () => {
    const source = `const { id, created_at } = await files.write('a.txt', 'a'); log(id, created_at, Date.now());`;
    const taskId = await makeTask(app(), { source_code: source, permissions: ['file_download'] });
    const { run_id: runId } = await tasks().start_run(taskId, { record: true });
    const recorded = { taskId, runId, run: await runner.finish(taskId, runId) };
    const same = await replay(recorded);
    assert.ok(same.report.identical, JSON.stringify(same.report));
    assert.deepEqual(await tasks().list_artifacts(taskId, same.run.id), []);
    const { version_id } = await tasks().create_version(taskId, {
      source_code: source.replace("'a')", "'b')"),
      permissions: ['file_download'],
      parameters: [],
    });
    const other = await replay(recorded, version_id);
    assert.deepEqual([other.report.identical, (await tasks().list_artifacts(taskId, other.run.id)).length], [false, 1]);
    assert.equal((await tasks().list_artifacts(taskId, runId)).length, 1);
  });

  const FILES = `
    const say = (what, at) => admin_api.post('/customers/' + parameters.id + '/notes', { body: what + ' ' + at + ' ' + Date.now() });
    if (!last_checkpoint) await say('begun', 0);
    const names = ['a', 'b', 'b', 'c'];
    for (let at = last_checkpoint?.at ?? 0; at < names.length; at += 1) {
      const text = names[at].repeat(names[at] === 'c' ? 1_000_000 : 3);
      await Promise.all([
        files.write(names[at], text).then(({ id, created_at }) => log(names[at], id, created_at, Date.now())),
        admin_api.get('/customers?limit=1').then(() => log('read', Date.now())),
      ]);
      await say('written', at);
      if (at !== 1) continue;
      const late = parameters.late && files.write('late', 'late').then(() => log('late', Date.now()));
      await checkpoint({ at: at + 1 });
      if (parameters.late) log('kept', Date.now());
      await late;
    }
    await files.write('a', 'aaa');
    log(Date.now());`;

  test('Replay: an upload repeated after a broken connection replays as one upload', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(
      app(),
      { source_code: FILES, permissions: ['admin_api.customers.write', 'file_download'] },
      { on_interrupt: 'resume', max_attempts: 100 },
    );
    let fates: FaultFate[] = [];
    let uploads = 0;
    const proxy = await openFaultProxy(Number(new URL(app().url).port));
    const cut = openInProcessRunner(app(), { url: proxy.url });
    proxy.decide(({ path }) => (path.endsWith('/artifacts') ? (fates[uploads++] ?? 'pass') : 'pass'));
    async function recordCut(parameters: JsonObject, ...these: FaultFate[]): Promise<Recorded> {
      [fates, uploads] = [these, 0];
      const { run_id: runId } = await tasks().start_run(taskId, { parameters, record: true });
      const run = await cut.finish(taskId, runId);
      assert.deepEqual([run.status, run.attempt], ['success', 1], run.error_message ?? '');
      const files = 4 + 1 + (parameters['late'] ? 1 : 0);
      assert.equal(uploads, files + these.filter((fate) => fate !== 'pass').length);
      return { taskId, runId, run };
    }
    try {
      // Uploads a, b, b again and c, which has several blocks; a and c are sent twice.
      const recorded = await recordCut({ id }, 'cut_after', 'pass', 'pass', 'pass', 'cut_before');
      assert.equal((await tasks().list_artifacts(taskId, recorded.runId)).length, 3);
      let messages = 0;
      for (const fate of [undefined, () => ++messages === 30]) {
        const { report } = await replay(recorded, undefined, fate);
        assert.ok(report.identical, JSON.stringify(report));
      }
      // The upload "late" begins before a checkpoint and is repeated after it; in the replay two uploads are cut as well.
      const late = await recordCut({ id, late: true }, 'pass', 'pass', 'cut_before');
      const { run_id } = await replays().start(taskId, late.runId);
      [fates, uploads] = [['cut_after', 'pass', 'pass', 'cut_before'], 0];
      await cut.finish(taskId, run_id);
      const report = await replays().get(taskId, run_id);
      assert.ok(report.identical, JSON.stringify(report));
      assert.deepEqual(proxy.cuts, { cut_before: 3, cut_after: 2 });
    } finally {
      await cut.close();
      await proxy.close();
    }
  });

  test('Replay: a recorded dry run replays identically', async () => {
    const { id } = await makeCustomer(app());
    const taskId = await makeTask(app(), { source_code: SOURCE, permissions: ['admin_api.customers.write'] });
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { id }, record: true, dry_run: true });
    const recorded = { taskId, runId, run: await runner.finish(taskId, runId) };
    assert.equal(recorded.run.status, 'success', recorded.run.error_message ?? '');
    const { report } = await replay(recorded);
    assert.ok(report.identical, JSON.stringify(report));
  });

  test('RP1, SF10: a person is asked once although workers are lost, and not by a replay', async () => {
    const { id } = await makeCustomer(app());
    const source = `
      const { words } = await prompt({ label: 'Which words?', fields: [{ name: 'words', kind: 'string' }] });
      await admin_api.post('/customers/' + parameters.id + '/notes', { body: words });
      log(words, Date.now());`;
    const permissions: Permission[] = ['admin_api.customers.write', 'prompt_input'];
    const taskId = await makeTask(app(), { source_code: source, permissions }, { on_interrupt: 'resume', max_attempts: 10 });
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { id }, record: true });
    // The worker is killed twice: before it gets the answer of the prompt, later before it gets the answer of the note's call.
    let messages = 0;
    const finished = runner.finish(taskId, runId, () => [2, 6].includes(++messages));
    const asked = await until('the question is asked', async () => (await tasks().list_prompts(taskId, runId))[0]);
    await tasks().answer_prompt(taskId, runId, asked.id, { answers: { words: 'Welcome' } });
    const recorded = { taskId, runId, run: await finished };
    assert.deepEqual([recorded.run.status, recorded.run.attempt], ['success', 3], recorded.run.error_message ?? '');
    assert.deepEqual(
      (await app().client.customers.list_notes(id)).map(({ body }) => body),
      ['Welcome'],
    );
    assert.equal((await tasks().list_prompts(taskId, runId)).length, 1);
    const rows = await countRows(app());
    const same = await replay(recorded);
    assert.ok(same.report.identical, JSON.stringify(same.report));
    assert.equal((await countRows(app()))['notifications'], rows['notifications']);
    const other = source.replace('Which words', 'What words');
    const { version_id } = await tasks().create_version(taskId, { source_code: other, permissions, parameters: [] });
    const { run, report } = await replay(recorded, version_id);
    assert.deepEqual([run.error_message, report.ended], ['the recording has no answer to prompt', 'parted']);
  });

  test('Replay: a pending version can be replayed, a revoked one cannot', async () => {
    const { taskId, ...recorded } = await recordWelcome(1);
    await app().client.settings.update({ approval_policy: 'second_admin' });
    const pending = await addVersion(taskId, WELCOME.replace('Welcome', 'Hello'));
    await app().client.settings.update({ approval_policy: 'author' });
    assert.equal((await tasks().get_version(taskId, pending)).approved_by, null);
    const { report } = await replay({ taskId, ...recorded }, pending);
    assert.deepEqual([report.ended, report.effects.changed], ['completed', 1]);
    await tasks().revoke_version(taskId, recorded.run.version_id);
    await assert.rejects(replays().start(taskId, recorded.runId), { code: 'version_not_approved' });
    assert.ok((await replay({ taskId, ...recorded }, pending)).report.effects.changed);
  });

  test('Replay: only a recorded run of a runner can be replayed, by an admin with its permissions, while its journal is kept', async () => {
    const { taskId, runId } = await recordWelcome(1);
    const { run_id: plain } = await tasks().start_run(taskId, { parameters: { ids: [] } });
    await runner.finish(taskId, plain);
    await assert.rejects(replays().start(taskId, plain), { code: 'not_recorded' });
    const { run_id: open } = await tasks().start_run(taskId, { parameters: { ids: [] }, record: true });
    await assert.rejects(replays().start(taskId, open), { code: 'not_recorded' }, 'no runner has claimed it');
    await tasks().cancel_run(taskId, open);
    await assert.rejects(replays().start(taskId, runId, { version_id: 999_999 }), { code: 'version_not_found' });
    await assert.rejects(replays().start(taskId, 999_999), { code: 'not_found' });
    await assert.rejects(replays().get(taskId, runId), { code: 'not_a_replay' });
    const { id } = await app().client.admins.create({
      name: 'Staff',
      email: 'staff@shop.example',
      role: 'staff',
      permissions: ['admin_api.ai_tasks.write'],
    });
    const { token } = await app().client.admins.create_token(id, { name: 'token' });
    assert.ok(token);
    await assert.rejects(app().clientFor(token).replays.start(taskId, runId), { code: 'permission_not_held' });
    await sweepOld(app().store, Date.now() + 8 * 86_400_000);
    await assert.rejects(replays().start(taskId, runId), { code: 'journal_expired' });
  });
});
