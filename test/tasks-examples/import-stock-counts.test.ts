import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../../contract/runs.ts';
import { pushExample } from '../../ops/example-tasks.ts';
import { resultsOf } from '../helpers/run-task.ts';
import { type ExampleShop, inSampleShop } from './example-shop.ts';

type At = { taskId: number; runId: number };

inSampleShop('postgres', 100, tests);

function tests(shop: () => ExampleShop): void {
  const tasks = () => shop().app.client.ai_tasks;
  const stockOf = async (sku: string) =>
    (await shop().store.reader.selectFrom('variants').select('stock').where('sku', '=', sku).executeTakeFirstOrThrow()).stock;

  async function upload(lines: readonly string[]): Promise<number> {
    const file = { filename: 'counts.csv', content: lines.join('\r\n'), content_type: 'text/csv' };
    return (await shop().app.client.files.create({ file })).id;
  }

  async function someVariants(count: number): Promise<{ sku: string; stock: number }[]> {
    return shop()
      .store.reader.selectFrom('variants')
      .select(['sku', 'stock'])
      .where('track_stock', '=', 1)
      .orderBy('id')
      .limit(count)
      .execute();
  }

  async function untilRun({ taskId, runId }: At, is: (run: Run) => boolean): Promise<Run> {
    for (const until = Date.now() + 240_000; Date.now() < until; await delay(50)) {
      const run = await tasks().get_run(taskId, runId);
      if (is(run) || run.status !== 'running') return run;
    }
    throw new Error(`run ${runId} did not get there`);
  }

  /** Waits until the run's worker is given back. */
  async function answerParked(at: At, enter: boolean): Promise<string> {
    const run = await untilRun(at, ({ waiting_reason, claimed_by }) => waiting_reason === 'prompt' && claimed_by === null);
    assert.equal(run.waiting_reason, 'prompt', run.error_message ?? run.log);
    const [prompt] = await tasks().list_prompts(at.taskId, at.runId);
    await tasks().answer_prompt(at.taskId, at.runId, prompt?.id ?? 0, { answers: { enter } });
    return prompt?.label ?? '';
  }

  async function reportOf({ taskId, runId }: At): Promise<string[]> {
    const [artifact, ...more] = await tasks().list_artifacts(taskId, runId);
    assert.deepEqual([artifact?.name, artifact?.content_type, more.length], ['stock-counts.csv', 'text/csv', 0]);
    const path = `/admin/api/ai-tasks/${taskId}/runs/${runId}/artifacts/${artifact?.id}/content`;
    return (await shop().app.request({ path })).text.trim().split('\n');
  }

  test('SF10: import-stock-counts asks a question, gives its worker back, and goes on with the answer on another runner', async () => {
    const variants = await someVariants(25);
    const [same, ...changed] = variants;
    const lines = [
      ...changed.map(({ sku, stock }) => `${sku};${stock + 3}`),
      `${same?.sku};${same?.stock}`,
      'nowhere;5',
      `${same?.sku};many`,
      '',
    ];
    const counts = await upload(lines);
    let label = '';
    const finished = await shop().runs.run('import-stock-counts', {
      parameters: { counts },
      afterWrites: {
        count: 0,
        async act(at) {
          await untilRun(at, ({ claimed_by, waiting_reason }) => waiting_reason === 'prompt' && claimed_by === null);
          await shop().runs.replaceRunner(at);
          label = await answerParked(at, true);
        },
      },
    });
    const { run, taskId, effects } = finished;
    assert.equal(run.status, 'success', run.error_message ?? '');
    assert.deepEqual(run.result, { counts: 25, differ: 24, unreadable: 2, entered: 24 });
    assert.deepEqual([label, run.attempt], ['24 of 25 counts differ, 2 lines cannot be read. Enter the counts?', 1]);
    for (const { sku, stock } of changed) assert.equal(await stockOf(sku), stock + 3);
    assert.deepEqual([effects.length, resultsOf(finished).length], [24, 24]);
    assert.deepEqual(await reportOf({ taskId, runId: run.id }), [
      'sku;before;counted;outcome',
      ...changed.map(({ sku, stock }) => `${sku};${stock};${stock + 3};entered`),
      'nowhere;;5;unknown sku',
      `${same?.sku};;many;no count`,
    ]);
  });

  test('SF10: if the person says no, only the report is written', async () => {
    const [one] = await someVariants(1);
    const counts = await upload([`${one?.sku};${(one?.stock ?? 0) + 1}`]);
    const { run, effects, taskId } = await shop().runs.run('import-stock-counts', {
      parameters: { counts },
      afterWrites: { count: 0, act: (at) => answerParked(at, false) },
    });
    assert.deepEqual(run.result, { counts: 1, differ: 1, unreadable: 0, entered: 0 });
    assert.deepEqual([effects, await stockOf(one?.sku ?? '')], [[], one?.stock]);
    assert.deepEqual(await reportOf({ taskId, runId: run.id }), ['sku;before;counted;outcome']);
  });

  test('DR1, SF10: a dry run asks too and keeps its report, but the shop does not change', async () => {
    const [one] = await someVariants(1);
    const counts = await upload([`${one?.sku};${(one?.stock ?? 0) + 1}`]);
    const { taskId } = await pushExample(shop().runs.shop.client, 'import-stock-counts');
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { counts }, dry_run: true });
    await answerParked({ taskId, runId }, true);
    const run = await untilRun({ taskId, runId }, ({ status }) => status !== 'running');
    assert.deepEqual([run.error_message, run.result], [null, { counts: 1, differ: 1, unreadable: 0, entered: 1 }]);
    assert.equal((await tasks().list_effects(taskId, runId)).length, 1);
    assert.equal(await stockOf(one?.sku ?? ''), one?.stock);
    assert.deepEqual((await reportOf({ taskId, runId })).slice(1), [`${one?.sku};${one?.stock};${(one?.stock ?? 0) + 1};entered`]);
  });

  test('the replay of a recorded run that asked, read and wrote is identical and asks nobody', async () => {
    const [one] = await someVariants(1);
    const counts = await upload([`${one?.sku};${(one?.stock ?? 0) + 1}`]);
    const { taskId } = await pushExample(shop().runs.shop.client, 'import-stock-counts');
    const { run_id: runId } = await tasks().start_run(taskId, { parameters: { counts }, record: true });
    await answerParked({ taskId, runId }, true);
    const recorded = await untilRun({ taskId, runId }, ({ status }) => status !== 'running');
    assert.deepEqual([recorded.error_message, recorded.status], [null, 'success']);
    const { run_id: replayId } = await shop().app.client.replays.start(taskId, runId, {});
    const replayed = await untilRun({ taskId, runId: replayId }, ({ status }) => status !== 'running');
    assert.deepEqual([replayed.error_message, replayed.result], [null, recorded.result]);
    const report = await shop().app.client.replays.get(taskId, replayId);
    assert.deepEqual([report.identical, report.ended], [true, 'completed'], JSON.stringify(report));
    assert.deepEqual(await tasks().list_prompts(taskId, replayId), []);
    assert.deepEqual(await tasks().list_artifacts(taskId, replayId), [], 'a replay must leave no file');
  });
}
