import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { endpointList } from '../../contract/index.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { callFingerprint } from '../../runner/call-key.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type ClaimedRun, claim, claimedRun, claimRun, codeOf, field, lapse, makeTask, openRun } from '../helpers/runs.ts';

const KEY = `0/${'0'.repeat(64)}`;
const QUESTION = { label: 'Sure?', fields: [{ name: 'sure', kind: 'boolean' }] };

/** Other spellings of a path, as an attacker might use against a check that compares texts. */
function spellings(path: string): string[] {
  const encoded = (text: string) => text.replaceAll(/[a-z0-9]/gi, (char) => `%${char.charCodeAt(0).toString(16)}`);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return [
    path,
    `${path}?_x=1`,
    `${path}?run_id=1`,
    `${path}#x`,
    `${path}/`,
    `/${path}`,
    path.replace('/runs/', '//runs/'),
    path.replace('/runs/', '/runs/./'),
    path.replace('/runs/', '/x/../runs/'),
    path.replace('/runs/', '/x/%2e%2e/runs/'),
    path.replace('/runs/', '\\runs\\'),
    path.replace('/runs/', '%2fruns%2f'),
    path.replace('/runs/', '/%72uns/'),
    path.replace('/runs/', '/RUNS/'),
    path.replace(last, encoded(last)),
    path.split('/').map(encoded).join('/'),
    path.toUpperCase(),
    `/orders/../${path}`,
    `http://127.0.0.1${path}`,
  ];
}

/** A script that tries to read and change runs with every spelling of their paths, and answers what it got. */
const ATTACKER = `
// The test runner's compiler names functions.
const __name = (named) => named;
const spellings = ${spellings};
const told = [];
const attempt = async (call) => {
  try { const { status } = await call(); told.push('got ' + status); }
  catch (error) { told.push(error.name + ' ' + (error.status ?? '')); }
};
for (let run = 1; run <= 40; run++) {
  await attempt(() => admin_api.post('/runner/runs/' + run + '/memory', { name: 'once/x', value: 1 }));
  if (run > 3) continue;
  for (const path of spellings('/ai-tasks/' + parameters.task + '/runs/' + run)) {
    for (const event of [
      { kind: 'log', line: 'forged' },
      { kind: 'admin_api', method: 'GET', path: '/forged', status: 200 },
      { kind: 'checkpoint', state: { forged: true }, epoch: 0 },
      { kind: 'wait', prompt_ids: [1] },
      { kind: 'finalize', status: 'interrupted', end_reason: 'lost_runner' },
    ]) await attempt(() => admin_api.patch(path, { events: [event] }));
  }
}
export default () => [...new Set(told)];
`;

onBothStores('the two tokens of a claim', (app) => {
  let sent = 0;
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());
  const tasks = () => app().client.ai_tasks;
  const everything = async (settings = {}): Promise<ClaimedRun> =>
    claimedRun(app(), {}, await makeTask(app(), { permissions: [...taskPermissions] }, settings));
  const ask = (token: string, method: string, path: string, body?: unknown) =>
    app().request({ method, path, token, headers: { 'idempotency-key': `"${KEY}/${sent++}"` }, ...(body === undefined ? {} : { body }) });
  const get = ({ taskId, runId }: ClaimedRun) => tasks().get_run(taskId, runId);

  test('Fencing: the call token opens no reporting endpoint of its run, whatever the spelling of the path', async () => {
    const run = await everything();
    const { token } = run.claim;
    const ids: Record<string, string> = { id: String(run.taskId), run_id: String(run.runId), name: 'input' };
    const own = endpointList.filter(({ ownRun }) => ownRun);
    assert.equal(own.length, 9);
    for (const { method, path, id } of own) {
      const filled = `/admin/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`;
      const body = method === 'GET' ? undefined : { events: [], name: 'once/x', value: 1, key: `${KEY}/0`, ...QUESTION };
      for (const spelt of spellings(filled)) {
        const { status } = await ask(token, method, spelt, body);
        assert.ok([400, 403, 404].includes(status), `${id}: ${method} ${spelt} answered ${status}`);
      }
      assert.deepEqual(codeOf(await ask(token, method, filled, body)), [403, 'forbidden'], id);
    }
    const { log, status } = await get(run);
    assert.deepEqual([log, status], ['', 'running']);
    assert.equal((await run.call('GET', '/customers')).status, 200);
  });

  test('Fencing: the call token cannot find runs or report lines, calls, checkpoints and ends', async () => {
    const run = await everything();
    const { token } = run.claim;
    for (let n = run.runId - 2; n <= run.runId + 2; n++) {
      assert.deepEqual(codeOf(await ask(token, 'POST', `/admin/api/runner/runs/${n}/memory`, { name: 'a' })), [403, 'forbidden']);
    }
    const events = (...list: unknown[]) => ask(token, 'PATCH', run.path, { events: list });
    for (const forged of [
      { kind: 'admin_api', method: 'DELETE', path: '/customers/1', status: 204 },
      { kind: 'log', line: 'forged' },
      { kind: 'finalize', status: 'success' },
      { kind: 'finalize', status: 'interrupted', end_reason: 'lost_runner' },
      { kind: 'checkpoint', state: {}, epoch: 0 },
      { kind: 'wait', prompt_ids: [1] },
    ]) {
      assert.deepEqual(codeOf(await events(forged)), [403, 'forbidden'], forged.kind);
    }
    const { log, status, attempt } = await get(run);
    assert.deepEqual([log, status, attempt], ['', 'running', 1]);
  });

  test('Fencing: the report token opens only the reporting endpoints of its own run', async () => {
    const [run, other] = [await everything(), await everything()];
    const { report_token: token } = run.claim;
    const ids: Record<string, string> = { id: String(run.taskId), run_id: String(run.runId) };
    for (const { method, path, id, ownRun } of endpointList) {
      if (ownRun) continue;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '1');
      assert.deepEqual(codeOf(await ask(token, method, `/admin/api${filled}`)), [403, 'forbidden'], id);
    }
    assert.deepEqual(codeOf(await ask(token, 'PATCH', other.path, { events: [] })), [403, 'forbidden']);
    assert.deepEqual(codeOf(await ask(token, 'POST', `/admin/api/runner/runs/${other.runId}/memory`, { name: 'a' })), [403, 'forbidden']);
    assert.equal((await run.report([])).status, 204);
  });

  test('Fencing: once the claim has ended, both tokens get 409 run_fenced at every path', async () => {
    const run = await everything({ on_interrupt: 'resume' });
    await run.report([{ kind: 'log', line: 'one' }], 'before');
    await lapse(app(), run);
    await claimRun(app(), run);
    const { token, report_token } = run.claim;
    for (const [method, path, body] of [
      ['GET', '/admin/api/customers', undefined],
      ['PATCH', run.path, { events: [] }],
      ['POST', `/admin/api/runner/runs/${run.runId}/memory`, { name: 'a' }],
      ['GET', '/admin/api/nothing', undefined],
    ] as const) {
      for (const old of [token, report_token]) {
        assert.deepEqual(codeOf(await ask(old, method, path, body)), [409, 'run_fenced'], `${method} ${path}`);
      }
    }
    assert.equal(
      (await run.report([{ kind: 'log', line: 'one' }], 'before')).status,
      204,
      'the same report may be repeated if its answer was lost',
    );
  });

  test('SF10: a run may wait only for its own prompts, open or answered since it was claimed', async () => {
    const run = await everything();
    const asked = async (at: ClaimedRun, side = at.claim, occurrence = 0): Promise<number> => {
      const key = `${side.epoch}/${callFingerprint('PROMPT', '/prompts', QUESTION)}/${occurrence}`;
      const answer = await ask(side.report_token, 'POST', `/admin/api/runner/runs/${at.runId}/prompts`, { key, ...QUESTION });
      assert.equal(answer.status, 200, answer.text);
      return Number(field(answer.body, 'id'));
    };
    const wait = (side: Pick<ClaimedRun, 'report'>, ...ids: number[]) => side.report([{ kind: 'wait', prompt_ids: ids }]);
    const refusedWait = [422, 'prompt_not_found'];
    const other = await everything();
    const foreign = await asked(other);
    const one = await asked(run);
    for (const ids of [[one + 1000], [foreign], [one, foreign]]) assert.deepEqual(codeOf(await wait(run, ...ids)), refusedWait);
    assert.equal((await get(run)).claimed_by, 'runner-1', 'a refused batch leaves the claim as it was');

    await tasks().answer_prompt(run.taskId, run.runId, one, { answers: { sure: true } });
    assert.equal((await wait(run, one)).status, 204, 'it was answered after the claim: the run is offered again');
    const second = await claimRun(app(), run);
    assert.deepEqual(codeOf(await wait(second, one)), refusedWait, 'an answer lets the run be offered again only once');
    assert.equal((await second.report([])).status, 204);

    const two = await asked(run, second.claim, 1);
    assert.equal((await wait(second, two)).status, 204);
    assert.deepEqual(await claim(app()), [], 'the run waits for a person');
    await tasks().answer_prompt(run.taskId, run.runId, two, { answers: { sure: true } });
    const third = await claimRun(app(), run);
    assert.deepEqual(codeOf(await wait(third, two)), refusedWait, 'it was answered before this claim');
  });

  test('a run that resumes another can wait for a prompt only after asking it itself', async () => {
    const run = await everything();
    const key = `0/${callFingerprint('PROMPT', '/prompts', QUESTION)}/0`;
    const at = (runId: number, token: string) => ask(token, 'POST', `/admin/api/runner/runs/${runId}/prompts`, { key, ...QUESTION });
    const id = Number(field((await at(run.runId, run.claim.report_token)).body, 'id'));
    await run.report([{ kind: 'finalize', status: 'interrupted', end_reason: 'drained' }]);
    const next = await openRun(app(), { resume_run_id: run.runId }, run.taskId);
    const side = await claimRun(app(), next);
    const wait = () => side.report([{ kind: 'wait', prompt_ids: [id] }]);
    assert.deepEqual(codeOf(await wait()), [422, 'prompt_not_found']);
    assert.equal((await at(next.runId, side.claim.report_token)).status, 200);
    assert.equal((await wait()).status, 204);
  });

  test('a PermissionError names the missing permission, whatever the path contains, or none if tasks cannot call it', async () => {
    const source = `
      const told = [];
      for (const path of ['/orders?search=llm', '/orders?search=admin_api.pages.read', '/settings?q=llm', '/llm/x']) {
        await admin_api.get(path).catch((error) => told.push([error.name, error.permission]));
      }
      export default () => told;`;
    const taskId = await makeTask(app(), { source_code: source, permissions: ['admin_api.customers.read'] });
    const { runId } = await openRun(app(), {}, taskId);
    const run = await runner.finish(taskId, runId);
    assert.deepEqual(run.result, [
      ['PermissionError', 'admin_api.orders.read'],
      ['PermissionError', 'admin_api.orders.read'],
      ['PermissionError', ''],
      ['AdminApiError', null],
    ]);
  });

  test('a script with every permission that attacks runs gets only 403 and 404, and its own run succeeds', async () => {
    const taskId = await makeTask(app(), { source_code: ATTACKER, permissions: [...taskPermissions] }, { max_attempts: 1 });
    const { runId } = await openRun(app(), { parameters: { task: taskId } }, taskId);
    const run = await runner.finish(taskId, runId);
    assert.deepEqual([run.status, run.end_reason, run.attempt, run.error_message], ['success', 'completed', 1, null]);
    assert.deepEqual(new Set(z.array(z.string()).parse(run.result)), new Set(['PermissionError 403', 'AdminApiError 404', 'Error ']));
    const lines = run.log.split('\n').map((line): { kind: string; status?: number } => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ kind, status }) => kind !== 'admin_api' || (status !== 403 && status !== 404)),
      [],
    );
    assert.ok(lines.some(({ status }) => status === 403));
    assert.equal(run.last_checkpoint, null);
  });
});
