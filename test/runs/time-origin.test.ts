import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { claimedRun, lapse, makeTask } from '../helpers/runs.ts';
import { letLineageLackBeginning } from '../helpers/stored-rows/runs.ts';

const SOURCE = `
  await checkpoint({ step: (last_checkpoint?.step ?? 0) + 1 });
  export default () => [performance.timeOrigin, performance.timeOrigin + performance.now() === Date.now(), last_checkpoint];`;

onBothStores('performance.timeOrigin', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());
  const tasks = () => app().client.ai_tasks;

  /** A run that stored a checkpoint and was then lost. */
  async function interrupted() {
    const run = await claimedRun(app(), {}, await makeTask(app(), { source_code: SOURCE }));
    assert.equal((await run.report([{ kind: 'checkpoint', state: { step: 1 }, epoch: 0 }])).status, 204);
    await lapse(app(), run);
    return run;
  }

  test('counts from the start of the first run, in a resumed script of a later epoch and in its replay, too', async () => {
    const { taskId, runId, claim } = await interrupted();
    const { run_id } = await tasks().start_run(taskId, { resume_run_id: runId, record: true });
    const began = Date.parse((await tasks().get_run(taskId, runId)).started_at);
    assert.deepEqual(
      [claim.began, claim.now].map((time) => Date.parse(time ?? '')),
      [began, began],
    );
    const { result, error_message } = await runner.finish(taskId, run_id);
    assert.deepEqual([error_message, result], [null, [began, true, { step: 1 }]]);
    const replay = await app().client.replays.start(taskId, run_id, {});
    assert.deepEqual((await runner.finish(taskId, replay.run_id)).result, result);
  });

  test('a run that began before its server knew the beginning goes on as it began: from 1970', async () => {
    const { taskId, runId } = await interrupted();
    await letLineageLackBeginning(app().store, runId);
    const { run_id } = await tasks().start_run(taskId, { resume_run_id: runId });
    assert.deepEqual((await runner.finish(taskId, run_id)).result, [0, true, { step: 1 }]);
  });
});
