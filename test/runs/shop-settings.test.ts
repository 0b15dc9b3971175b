import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import type { SettingsPatch } from '../../contract/settings.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { claimedRun, claimRun, lapse, makeTask } from '../helpers/runs.ts';

const SOURCE = `
  const seen = [shop.timezone, shop.locale, shop.money(1999), shop.day('2026-01-05T20:00:00Z')];
  export default async () => { await admin_api.get('/orders'); return seen; };`;
const TOKYO = { timezone: 'Asia/Tokyo', locale: 'ja' } satisfies SettingsPatch;
const VIENNA = { timezone: 'Europe/Vienna', locale: 'de-AT' } satisfies SettingsPatch;
const inTokyo = ['Asia/Tokyo', 'ja', '€19.99', '2026-01-06'];
const inVienna = ['Europe/Vienna', 'de-AT', '€ 19,99', '2026-01-05'];

onBothStores('the shop’s settings that a script sees', (app) => {
  let runner: InProcessRunner;
  before(() => {
    runner = openInProcessRunner(app());
  });
  after(() => runner.close());

  const become = (settings: SettingsPatch) => app().client.settings.update(settings);
  const task = (settings: JsonObject = {}) => makeTask(app(), { source_code: SOURCE, permissions: ['admin_api.orders.read'] }, settings);

  test('a run sees the settings as they were when it was opened, a dry run too', async () => {
    const taskId = await task();
    for (const dry_run of [false, true]) {
      await become(TOKYO);
      const { run_id } = await app().client.ai_tasks.start_run(taskId, { dry_run });
      await become(VIENNA);
      const { result, error_message } = await runner.finish(taskId, run_id);
      assert.deepEqual([error_message, result], [null, inTokyo]);
    }
    const { run_id } = await app().client.ai_tasks.start_run(taskId);
    assert.deepEqual((await runner.finish(taskId, run_id)).result, inVienna);
  });

  test('a run that goes on, and one that resumes another, sees what the first one saw', async () => {
    await become(TOKYO);
    const taskId = await task({ on_interrupt: 'resume' });
    const run = await claimedRun(app(), {}, taskId);
    assert.deepEqual(run.claim.shop, { timezone: 'Asia/Tokyo', currency: 'EUR', currency_exponent: 2, locale: 'ja' });
    await become(VIENNA);
    await lapse(app(), run);
    const again = await claimRun(app(), run);
    assert.deepEqual([again.claim.run.attempt, again.claim.shop], [2, run.claim.shop]);
    await app().client.ai_tasks.update(taskId, { settings: { on_interrupt: 'hold' } });
    await lapse(app(), run);
    const { run_id } = await app().client.ai_tasks.start_run(taskId, { resume_run_id: run.runId });
    assert.deepEqual((await runner.finish(taskId, run_id)).result, inTokyo);
  });

  test('a replay sees what the recorded run saw', async () => {
    await become(TOKYO);
    const taskId = await task();
    const { run_id } = await app().client.ai_tasks.start_run(taskId, { record: true });
    await runner.finish(taskId, run_id);
    await become(VIENNA);
    const replay = await app().client.replays.start(taskId, run_id, {});
    assert.deepEqual((await runner.finish(taskId, replay.run_id)).result, inTokyo);
    assert.equal((await app().client.replays.get(taskId, replay.run_id)).identical, true);
  });
});
