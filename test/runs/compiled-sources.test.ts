import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Claim } from '../../contract/runner.ts';
import { claimWhenOpen } from '../../server/automation/runner/domain.ts';
import type { CheckedSource } from '../../server/source-check/check.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { claimRun, emptyQueue, lapse, makeTask, openRun, type RunBody } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letCompilerBeOlder, letNothingBeCompiled } from '../helpers/stored-rows/runs.ts';

const SOURCE = 'const n: number = 20;\nexport default async () => n + 1;\n';
const ENUM = 'enum Size {\n  S = 5,\n  L,\n}\nexport default function main() {\n  return Size.L;\n}\n';

onBothStores('compiled sources', (app) => {
  let runner: InProcessRunner | undefined;
  after(() => runner?.close());
  const tasks = () => app().client.ai_tasks;

  /** What a claim has of a new run of the task, which then ends. */
  async function codeOf(taskId: number, body: RunBody = {}): Promise<string | null> {
    await emptyQueue(app());
    const run = await openRun(app(), body, taskId);
    const { claim } = await claimRun(app(), run);
    await tasks().cancel_run(taskId, run.runId);
    return claim.version.code;
  }
  async function resultOf(taskId: number, body: RunBody = {}) {
    runner ??= openInProcessRunner(app());
    await emptyQueue(app());
    const { runId } = await openRun(app(), body, taskId);
    const { status, result, error_message } = await runner.finish(taskId, runId);
    return { status, result, error_message };
  }

  /** What a server hands out whose sources are compiled so. */
  async function claimsOf(check: (source: string) => Promise<CheckedSource>): Promise<Claim[]> {
    const services = await servicesOf(app().store);
    const body = { runner: { name: 'r', version: '1', isolation: [] }, slots: 8, wait_ms: 0 };
    const until = new AbortController().signal;
    return (await claimWhenOpen({ services: { ...services, checker: { ...services.checker, check } }, body, until })).claims;
  }

  test('a claim has what was compiled of a version or draft; a source with a fault has nothing, and its run says where the fault is', async () => {
    const taskId = await makeTask(app(), { source_code: SOURCE });
    const code = await codeOf(taskId);
    assert.match(code ?? '', /^\(async function \(\) \{.*const n {9}= 20;\n/s);
    assert.deepEqual(await resultOf(taskId), { status: 'success', result: 21, error_message: null });

    const draft = { source_code: SOURCE.replace('20', '30'), permissions: [], parameters: [] };
    assert.match((await codeOf(taskId, { dry_run: true, draft })) ?? '', /= 30;/);
    assert.equal((await resultOf(taskId, { dry_run: true, draft })).result, 31);

    const broken = await makeTask(app(), { source_code: 'const a = ;' });
    assert.equal(await codeOf(broken), null);
    const { status, error_message } = await resultOf(broken);
    assert.deepEqual([status, /\(task\.ts:1:11\)/.test(error_message ?? '')], ['failed', true], error_message ?? '');
  });

  test('a source with an enum is compiled when it is saved, and its runs and those of drafts tell the lines that were written', async () => {
    const taskId = await makeTask(app(), { source_code: ENUM });
    const { versions } = await tasks().get(taskId);
    const { source_code, warnings } = await tasks().get_version(taskId, versions[0]?.id ?? 0);
    assert.deepEqual([source_code, warnings], [ENUM, []]);
    assert.match((await codeOf(taskId)) ?? '', /sourceMappingURL/);
    assert.deepEqual(await resultOf(taskId), { status: 'success', result: 6, error_message: null });
    const draft = { source_code: ENUM.replace('return Size.L', 'throw new Error(String(Size.L))'), permissions: [], parameters: [] };
    assert.equal((await resultOf(taskId, { dry_run: true, draft })).error_message, 'Error: 6\n    at main (task.ts:6:9)');
  });

  for (const [name, happens] of [
    ['what an older compiler made is not used', letCompilerBeOlder],
    ['what was saved before anything was compiled runs', letNothingBeCompiled],
  ] as const)
    test(`${name}: the server compiles it for the next claim, and keeps it`, async () => {
      const plain = await makeTask(app(), { source_code: SOURCE });
      const withEnum = await makeTask(app(), { source_code: ENUM });
      const broken = await makeTask(app(), { source_code: 'enum Size {' });
      await happens(app().store);
      const all = [plain, withEnum, broken];
      const codes = [];
      for (const taskId of all) codes.push(await codeOf(taskId));
      assert.deepEqual([/= 20;/.test(codes[0] ?? ''), /sourceMappingURL/.test(codes[1] ?? ''), codes[2]], [true, true, null]);
      assert.deepEqual(await resultOf(plain), { status: 'success', result: 21, error_message: null });
      assert.deepEqual(await resultOf(withEnum), { status: 'success', result: 6, error_message: null });
      assert.equal((await resultOf(broken)).status, 'failed');
      await emptyQueue(app());
      for (const taskId of all) await openRun(app(), {}, taskId);
      const claims = await claimsOf(() => Promise.reject(new Error('compiled again')));
      assert.deepEqual(
        claims.map(({ run }) => run.task_id),
        all,
      );
      for (const { run } of claims) await tasks().cancel_run(run.task_id, run.id);
    });

  test('a source that is not compiled in time is offered again', async () => {
    const taskId = await makeTask(app(), { source_code: ENUM });
    await letNothingBeCompiled(app().store);
    const compiled = Promise.withResolvers<CheckedSource>();
    await emptyQueue(app());
    const run = await openRun(app(), {}, taskId);
    assert.deepEqual(await claimsOf(() => compiled.promise), []);
    compiled.resolve({ warnings: [], code: '(async function () { return [7]; })' });
    await until(
      'the code is stored',
      async () => (await app().store.reader.selectFrom('compiled_sources').selectAll().execute()).length > 0,
    );
    await lapse(app(), run, 'unconfirmed');
    const { claim: again } = await claimRun(app(), run);
    assert.deepEqual([again.run.attempt, again.version.code], [1, '(async function () { return [7]; })']);
  });
});
