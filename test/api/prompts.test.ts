import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Prompt } from '../../contract/prompts.ts';
import type { Json } from '../../contract/run-events.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { timeOutPrompts } from '../../server/automation/run-prompts/domain.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import {
  type ClaimedRun,
  claim,
  claimedRun,
  claimRun,
  codeOf,
  emptyQueue,
  lapse,
  makeTask,
  type OpenRun,
  openRun,
} from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';

const DAY_MS = 86_400_000;
const SURE = { name: 'sure', kind: 'boolean', required: true };
const QUESTION = { label: 'Write 12 corrections?', fields: [SURE] };
const waitFor = (...ids: number[]) => [{ kind: 'wait', prompt_ids: ids }];

onBothStores('prompts of a run', (app, engine) => {
  const tasks = () => app().client.ai_tasks;
  const run = async (permissions = ['prompt_input'], settings = {}, to = app()) =>
    claimedRun(to, {}, await makeTask(to, { permissions }, settings));
  function ask(
    { runId, claim: { report_token, epoch } }: ClaimedRun,
    question: Json = QUESTION,
    options: { occurrence?: number; token?: string } = {},
  ) {
    const key = `${epoch}/${callFingerprint('PROMPT', '/prompts', question)}/${options.occurrence ?? 0}`;
    const body = { key, ...Object(question) };
    return app().request({ method: 'POST', path: `/admin/api/runner/runs/${runId}/prompts`, token: options.token ?? report_token, body });
  }
  const asked = async (at: ClaimedRun, question?: Json, options?: { occurrence?: number }): Promise<Prompt> => {
    const answer = await ask(at, question, options);
    assert.equal(answer.status, 200, answer.text);
    return Prompt.parse(answer.body);
  };
  const answer = ({ taskId, runId }: OpenRun, id: number, answers: Record<string, Json>) =>
    tasks().answer_prompt(taskId, runId, id, { answers });
  const get = ({ taskId, runId }: OpenRun) => tasks().get_run(taskId, runId);
  const logOf = async (at: OpenRun) =>
    (await get(at)).log.split('\n').map((line) => (line === '' ? '' : String(JSON.parse(line).line ?? '')));

  test('SF10: a question is asked once and answered once; the script gets the answer', async () => {
    const at = await run();
    const prompt = await asked(at);
    assert.deepEqual(prompt, {
      id: prompt.id,
      ...QUESTION,
      answers: null,
      created_at: prompt.created_at,
      answered_at: null,
      answered_by: null,
    });
    assert.deepEqual(await asked(at), prompt);
    assert.deepEqual(await tasks().list_prompts(at.taskId, at.runId), [prompt]);
    assert.equal((await get(at)).waiting_reason, 'prompt');
    const answered = await answer(at, prompt.id, { sure: true });
    const { id: me } = (await app().client.me.get()) as { id: number };
    assert.deepEqual([answered.answers, answered.answered_by], [{ sure: true }, me]);
    assert.deepEqual(await asked(at), answered);
    assert.deepEqual(await tasks().list_prompts(at.taskId, at.runId), [answered]);
    assert.equal((await get(at)).waiting_reason, null);
    await refused(answer(at, prompt.id, { sure: false }), 409, 'already_answered');
    assert.deepEqual(await asked(at), answered);
    assert.notEqual((await asked(at, QUESTION, { occurrence: 1 })).id, prompt.id);
  });

  test('SF10: a question makes a notification and a line in the run’s log', async () => {
    const at = await run();
    const { id } = await asked(at);
    await asked(at);
    const { notifications } = await app().client.notifications.list({ limit: 5 });
    const { task } = await tasks().get(at.taskId);
    const message = `Run ${at.runId} of "${task.name}" asks: see prompt ${id}`;
    assert.deepEqual(
      notifications
        .filter(({ metadata }) => metadata?.['run_id'] === at.runId)
        .map(({ type, message, metadata }) => [type, message, metadata]),
      [['ai_task_prompt', message, { task_id: at.taskId, run_id: at.runId, prompt_id: id, task_name: task.name }]],
    );
    await answer(at, id, { sure: true });
    assert.deepEqual(await logOf(at), [`prompt ${id} waits for an answer: ${QUESTION.label}`, `prompt ${id} was answered`]);
  });

  test('SF10: only who started a dry run is notified of its question, and told that it is of a dry run', async () => {
    const at = await claimedRun(app(), { dry_run: true }, await makeTask(app(), { permissions: ['prompt_input'] }));
    const { id } = await asked(at);
    await asked(at);
    const { notifications } = await app().client.notifications.list({ limit: 5 });
    const { name: task_name } = (await tasks().get(at.taskId)).task;
    assert.deepEqual(
      notifications.filter(({ metadata }) => metadata?.['run_id'] === at.runId).map(({ title, metadata }) => [title, metadata]),
      [['A dry run of a task waits for an answer', { task_id: at.taskId, run_id: at.runId, prompt_id: id, dry_run: true, task_name }]],
    );
    const { token } = await person(app(), { role: 'owner' });
    const { notifications: ofAnother } = await app().clientFor(token).notifications.list({ limit: 100 });
    assert.equal(ofAnother.filter(({ metadata }) => metadata?.['run_id'] === at.runId).length, 0);
  });

  test('SF10: a run asks with prompt_input and only for itself; a run’s token cannot answer', async () => {
    const without = await run(['file_upload']);
    const refusal = await ask(without);
    assert.deepEqual(codeOf(refusal), [403, 'forbidden']);
    assert.match(refusal.text, /"required_permission":"prompt_input"/);
    const at = await run();
    for (const token of [without.claim.report_token, at.claim.token, RUNNER_TOKEN, OWNER_TOKEN]) {
      assert.deepEqual(codeOf(await ask(at, QUESTION, { token })), [403, 'forbidden']);
    }
    const { id } = await asked(at);
    const self = { method: 'POST', path: `${at.path}/prompts/${id}/answer`, body: { answers: { sure: true } } };
    assert.deepEqual(codeOf(await app().request({ ...self, token: at.claim.token })), [403, 'forbidden']);
    assert.deepEqual((await tasks().get_version(at.taskId, at.claim.version.id)).permissions_used, ['prompt_input']);
  });

  test('SF10: a malformed question is refused with its place', async () => {
    const at = await run();
    const field = (values: object): Json => ({ label: 'x', fields: [{ name: 'a', kind: 'string', ...values }] });
    const wrong: [Json, string][] = [
      [{ label: '', fields: [] }, '/label'],
      [{ label: 'x'.repeat(1001), fields: [] }, '/label'],
      [{ label: 'a\u0000b', fields: [] }, '/label'],
      [{ label: 'x', fields: Array.from({ length: 101 }, (_, n) => ({ name: `f${n}`, kind: 'string' })) }, '/fields'],
      [{ label: 'x', fields: [SURE, SURE] }, '/fields/1/name'],
      [{ label: 'x', fields: [null] }, '/fields/0'],
      [field({ name: '../x' }), '/fields/0/name'],
      [field({ name: '__proto__ ' }), '/fields/0/name'],
      [field({ kind: 'password' }), '/fields/0/kind'],
      [field({ kind: 'choice' }), '/fields/0/options'],
      [field({ kind: 'choice', options: [] }), '/fields/0/options'],
      [field({ kind: 'choice', options: [{}] }), '/fields/0/options/0'],
      [field({ kind: 'choice', options: Array(1001).fill('x') }), '/fields/0/options'],
      [field({ options: ['x'] }), '/fields/0/options'],
      [field({ label: 'x'.repeat(1001) }), '/fields/0/label'],
    ];
    for (const [question, pointer] of wrong) {
      const refusal = await ask(at, question);
      assert.equal(refusal.status, 422, pointer);
      assert.match(refusal.text, new RegExp(`"pointer":"${pointer}`), pointer);
    }
    assert.deepEqual(codeOf(await ask(at, { label: 'x'.repeat(10 * 1024 * 1024), fields: [] })), [413, 'body_too_large']);
    assert.deepEqual(await tasks().list_prompts(at.taskId, at.runId), []);
    assert.equal((await answer(at, (await asked(at, { label: 'Go on?', fields: [] })).id, {})).answered_at === null, false);
  });

  test('SF10: a wrong answer is 422 with its field, and the question stays open', async () => {
    const at = await run();
    const fields = [
      SURE,
      { name: 'name', kind: 'string' },
      { name: 'note', kind: 'text', required: true },
      { name: 'pieces', kind: 'number' },
      { name: 'day', kind: 'date' },
      { name: 'size', kind: 'choice', options: ['S', 2, true] },
    ];
    const { id } = await asked(at, { label: 'All of it', fields });
    const good = { sure: false, note: 'x' };
    for (const [given, pointer, code] of [
      [{ ...good, sure: 'yes' }, '/answers/sure', 'invalid_type'],
      [{ note: 'x' }, '/answers/sure', 'required'],
      [{ ...good, sure: null }, '/answers/sure', 'required'],
      [{ ...good, name: 5 }, '/answers/name', 'invalid_type'],
      [{ ...good, name: 'x'.repeat(1001) }, '/answers/name', 'too_long'],
      [{ ...good, name: 'a\u0000' }, '/answers/name', 'invalid_value'],
      [{ ...good, note: ' ' }, '/answers/note', 'blank'],
      [{ ...good, note: 'x'.repeat(100_001) }, '/answers/note', 'too_long'],
      [{ ...good, pieces: '5' }, '/answers/pieces', 'invalid_type'],
      [{ ...good, day: '2026-02-30' }, '/answers/day', 'invalid_date'],
      [{ ...good, day: 5 }, '/answers/day', 'invalid_type'],
      [{ ...good, size: '2' }, '/answers/size', 'invalid_enum'],
      [{ ...good, size: ['S'] }, '/answers/size', 'invalid_enum'],
      [{ ...good, other: 1 }, '/answers/other', 'invalid_value'],
      [{ ...good, 'a/b~': 1 }, '/answers/a~1b~0', 'invalid_value'],
    ] as const) {
      const path = `${at.path}/prompts/${id}/answer`;
      const refusal = await app().request({ method: 'POST', path, body: { answers: given } });
      assert.deepEqual(codeOf(refusal), [422, code], pointer);
      assert.match(refusal.text, new RegExp(`"pointer":"${pointer}"`));
    }
    await refused(answer(at, id, [] as never), 422, 'invalid_type');
    const { answers } = await answer(at, id, { ...good, size: 2, day: '2026-02-28', pieces: 1.5 });
    assert.deepEqual(answers, { sure: false, name: null, note: 'x', pieces: 1.5, day: '2026-02-28', size: 2 });
  });

  test('SF10: a question is answered under its own run, and not after the run has ended', async () => {
    const [at, other] = [await run(), await run()];
    const { id } = await asked(at);
    await refused(answer(other, id, { sure: true }), 404, 'not_found');
    await refused(answer({ ...at, taskId: other.taskId }, id, { sure: true }), 404, 'not_found');
    await refused(answer(at, 999_999, { sure: true }), 404, 'not_found');
    await tasks().cancel_run(at.taskId, at.runId);
    await refused(answer(at, id, { sure: true }), 409, 'run_not_running');
    assert.equal((await get(at)).waiting_reason, null);
  });

  test('SF10: a waiting run has no worker; the answer lets it continue from its checkpoint in the same attempt', async () => {
    const at = await run();
    await at.report([{ kind: 'checkpoint', state: { done: 3 }, epoch: 0 }]);
    const second = { ...at, claim: { ...at.claim, epoch: 1 } };
    const { id } = await asked(second);
    const log = { kind: 'log', line: 'before' };
    assert.equal((await at.report([log, ...waitFor(id)], 'the-wait')).status, 204);
    const parked = await get(at);
    assert.deepEqual(
      [parked.status, parked.waiting_reason, parked.claimed_by, parked.finished_at, parked.attempt],
      ['running', 'prompt', null, null, 1],
    );
    assert.equal(
      (await at.report([log, ...waitFor(id)], 'the-wait')).status,
      204,
      'the same report may be repeated if its answer was lost',
    );
    assert.deepEqual(codeOf(await at.report([])), [409, 'run_fenced']);
    assert.deepEqual(await claim(app()), []);
    const { answers } = await answer(at, id, { sure: true });
    const again = { ...at, ...(await claimRun(app(), at, { name: 'another' })) };
    assert.deepEqual([again.claim.checkpoint, again.claim.epoch, again.claim.run.attempt], [{ done: 3 }, 1, 1]);
    assert.deepEqual((await asked(again)).answers, answers);
    assert.deepEqual(await logOf(at), [
      `prompt ${id} waits for an answer: ${QUESTION.label}`,
      'before',
      `prompt ${id} was answered: the run goes on from checkpoint 1`,
    ]);
    assert.equal((await again.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }])).status, 204);
  });

  test('SF10: an answer just before the run gives its worker back lets the run continue', async () => {
    const at = await run();
    const { id } = await asked(at);
    await answer(at, id, { sure: true });
    assert.equal((await at.report(waitFor(id))).status, 204);
    const again = { ...at, ...(await claimRun(app(), at)) };
    assert.deepEqual((await asked(again)).answers, { sure: true });
  });

  test('SF10: another open question, which the run does not wait for, does not hold the run up', async () => {
    const at = await run();
    const [left, awaited] = [await asked(at), await asked(at, QUESTION, { occurrence: 1 })];
    await answer(at, awaited.id, { sure: true });
    await at.report(waitFor(awaited.id));
    const again = { ...at, ...(await claimRun(app(), at)) };
    assert.deepEqual((await asked(again, QUESTION, { occurrence: 1 })).answers, { sure: true });
    assert.equal((await asked(again)).id, left.id);
  });

  test('SF10: a run that waits for several answers continues with the first', async () => {
    const at = await run();
    const [a, b] = [await asked(at), await asked(at, QUESTION, { occurrence: 1 })];
    await at.report(waitFor(a.id, b.id));
    await answer(at, b.id, { sure: false });
    const again = { ...at, ...(await claimRun(app(), at)) };
    assert.equal((await asked(again)).answers, null);
    assert.deepEqual((await asked(again, QUESTION, { occurrence: 1 })).answers, { sure: false });
    assert.equal((await get(at)).waiting_reason, 'prompt');
    await answer(at, a.id, { sure: true });
  });

  test('SF10: a waiting run counts towards the concurrency limit and can be cancelled', async () => {
    await emptyQueue(app());
    const at = await run(['prompt_input'], { concurrency: { limit: 1, key: null, overflow: 'queue' } });
    const { id } = await asked(at);
    await at.report(waitFor(id));
    const next = await openRun(app(), {}, at.taskId);
    assert.deepEqual(await claim(app()), []);
    assert.equal((await get(next)).waiting_reason, 'concurrency');
    await tasks().cancel_run(at.taskId, at.runId);
    await refused(answer(at, id, { sure: true }), 409, 'run_not_running');
    await claimRun(app(), next);
  });

  test('SF10: after 24 hours without an answer the run ends with prompt_timeout; a resumed run asks the same question', async () => {
    await emptyQueue(app());
    const [at, held] = [await run(), await run()];
    const prompt = await asked(at);
    await at.report(waitFor(prompt.id));
    const heldPrompt = await asked(held);
    const services = await servicesOf(app().store);
    await timeOutPrompts(services, Date.now() + DAY_MS - 60_000);
    assert.equal((await get(at)).status, 'running');
    await timeOutPrompts(services, Date.now() + DAY_MS + 1000);
    const over = await get(at);
    assert.deepEqual([over.status, over.end_reason], ['interrupted', 'prompt_timeout']);
    assert.match(over.error_message ?? '', /was not answered within 24 hours: Write 12 corrections\?/);
    assert.deepEqual([(await get(held)).end_reason, codeOf(await held.report([]))], ['prompt_timeout', [409, 'run_fenced']]);
    await refused(answer(at, prompt.id, { sure: true }), 409, 'run_not_running');

    const next = await openRun(app(), { resume_run_id: at.runId }, at.taskId);
    assert.deepEqual(await tasks().list_prompts(next.taskId, next.runId), [prompt]);
    const resumed = { ...next, ...(await claimRun(app(), next)) };
    assert.deepEqual(await asked(resumed), prompt);
    await timeOutPrompts(services, Date.now() + DAY_MS - 60_000);
    const answered = await answer(resumed, prompt.id, { sure: true });
    assert.deepEqual(await asked(resumed), answered);
    await timeOutPrompts(services, Date.now() + 3 * DAY_MS);
    assert.equal((await get(resumed)).status, 'running');
    assert.deepEqual([heldPrompt.answers, (await tasks().list_prompts(at.taskId, at.runId)).length], [null, 1]);
  });

  test('SF10: an answer given before the resumed run asks again is used', async () => {
    await emptyQueue(app());
    const at = await run();
    const { id } = await asked(at);
    await lapse(app(), at);
    const next = await openRun(app(), { resume_run_id: at.runId }, at.taskId);
    await answer(next, id, { sure: true });
    const resumed = { ...next, ...(await claimRun(app(), next)) };
    assert.deepEqual((await asked(resumed)).answers, { sure: true });
  });

  test('RU6, SF10: a question with the key of another epoch is refused as run_fenced', async () => {
    const at = await run();
    await at.report([{ kind: 'checkpoint', state: {}, epoch: 0 }]);
    assert.deepEqual(codeOf(await ask(at)), [409, 'run_fenced']);
  });

  test('EV: only a run of a runner can wait, and no event may follow', async () => {
    const at = await run();
    assert.deepEqual(codeOf(await at.report([...waitFor(1), { kind: 'log', line: 'x' }])), [422, 'events_after_finalize']);
    const external = await openRun(app(), { executor: 'external' });
    const answered = await app().request({ method: 'PATCH', path: external.path, body: { events: waitFor(1) } });
    assert.deepEqual(codeOf(answered), [422, 'unknown_kind']);
  });

  test('a replay gets the recorded answer and asks nobody; a question that was not recorded is refused', async () => {
    await emptyQueue(app());
    const at = await claimedRun(app(), { record: true }, await makeTask(app(), { permissions: ['prompt_input'] }));
    const { id } = await asked(at);
    await answer(at, id, { sure: true });
    const answered = await asked(at);
    await at.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }]);
    const { run_id: runId } = await app().client.replays.start(at.taskId, at.runId, {});
    const replay = { taskId: at.taskId, runId, path: `/admin/api/ai-tasks/${at.taskId}/runs/${runId}` };
    const replaying = { ...replay, ...(await claimRun(app(), replay)) };
    assert.deepEqual(await asked(replaying), answered);
    assert.deepEqual(codeOf(await ask(replaying, QUESTION, { occurrence: 1 })), [409, 'not_in_recording']);
    assert.deepEqual(await tasks().list_prompts(at.taskId, runId), []);
    await tasks().cancel_run(at.taskId, runId);
  });

  test('RU9, SF10: questions are deleted with their run', async () => {
    const at = await run();
    await answer(at, (await asked(at)).id, { sure: true });
    await at.report([{ kind: 'finalize', status: 'success' }]);
    const kept = async () =>
      (await app().store.reader.selectFrom('run_prompts').select('id').where('run_id', '=', at.runId).execute()).length;
    const { run_days } = await app().client.settings.get();
    await sweepOld(app().store, Date.now() + (run_days - 1) * DAY_MS);
    assert.equal(await kept(), 1);
    await sweepOld(app().store, Date.now() + (run_days + 1) * DAY_MS);
    assert.equal(await kept(), 0);
  });

  test('a run has at most 100 open questions', async () => {
    const at = await run();
    for (let n = 0; n < 100; n++) await asked(at, { label: `${n}`, fields: [] });
    assert.deepEqual(codeOf(await ask(at)), [422, 'out_of_range']);
    await answer(at, (await asked(at, { label: '7', fields: [] })).id, {});
    await asked(at);
  });

  test('SF10: a question can be answered at another server, and the run continues there', async () => {
    await emptyQueue(app());
    const at = await run();
    const { id } = await asked(at);
    await at.report(waitFor(id));
    const second: TestApp = await startApp(engine, { databaseUrl: app().databaseUrl });
    try {
      const answered = await second.client.ai_tasks.answer_prompt(at.taskId, at.runId, id, { answers: { sure: true } });
      await claimRun(second, at);
      assert.deepEqual(await tasks().list_prompts(at.taskId, at.runId), [answered]);
    } finally {
      await second.close();
    }
  });
});
