import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { claimRun, emptyQueue, makeTask, openRun, type RunBody } from '../helpers/runs.ts';
import { letCompilerBeOlder } from '../helpers/stored-rows/runs.ts';

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
    await letCompilerBeOlder(app().store);
    const { status, error_message } = await resultOf(taskId);
    assert.deepEqual([status, /save it again \(task\.ts:1:1\)$/.test(error_message ?? '')], ['failed', true], error_message ?? '');
  });

  test('what an older compiler made is not used: the worker compiles the source', async () => {
    const taskId = await makeTask(app(), { source_code: SOURCE });
    await letCompilerBeOlder(app().store);
    assert.equal(await codeOf(taskId), null);
    assert.deepEqual(await resultOf(taskId), { status: 'success', result: 21, error_message: null });
  });
});
