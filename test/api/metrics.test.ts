import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { measure } from '../../server/background/measure.ts';
import { closeSideThreads } from '../../server/create-services.ts';
import type { Services } from '../../server/services.ts';
import { onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { claim, makeTask, openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';
import { letRunnersBeSilent } from '../helpers/stored-rows/runs.ts';

/** What `/metrics` tells of the shop as a whole: the queue, the runners, the mails. */

onBothStores('measurements of the shop', (app) => {
  let services: Services;
  before(async () => {
    services = await servicesOf(app().store);
  });
  after(() => closeSideThreads(services));

  async function measured(name: string): Promise<number> {
    await measure(services);
    return figureOf(await services.metrics.registry.metrics(), name);
  }

  test('the queue and the runners: before a claim, with it, and when the busy runner asks for no more work', async () => {
    assert.deepEqual([await measured('backroom_runners'), await measured('backroom_queue_depth')], [0, 0]);
    assert.equal(await measured('backroom_queue_oldest_seconds'), 0);
    const taskId = await makeTask(app());
    await openRun(app(), {}, taskId);
    const { runId } = await openRun(app(), {}, taskId);
    assert.deepEqual([await measured('backroom_queue_depth'), await measured('backroom_claims_open')], [2, 0]);
    await app()
      .clientFor(RUNNER_TOKEN)
      .runner.claim({ runner: { name: 'one', version: '1', isolation: ['process'], total_slots: 5 }, slots: 1, wait_ms: 0 });
    await claim(app(), { name: 'idle', slots: 3 });
    await app().client.ai_tasks.cancel_run(taskId, runId);
    const figures = async () =>
      Promise.all(['backroom_queue_depth', 'backroom_claims_open', 'backroom_runners', 'backroom_runner_slots'].map(measured));
    assert.deepEqual(await figures(), [0, 1, 2, 8]);
    await letRunnersBeSilent(app().store);
    assert.deepEqual(await figures(), [0, 1, 1, 5], 'a runner that works on a run is there although it asks for none');
  });

  test('mails that are due count as soon as the shop has a mail account', async () => {
    const variant = await makeVariant(app(), { stock: 5 });
    await app().client.orders.create(
      phoneOrder([{ variant_id: variant.id, quantity: 1 }], {
        customer: { name: 'Ann', email: 'ann@example.com', phone: '' },
        register_customer: true,
      }),
    );
    assert.equal(await measured('backroom_mails_due'), 0);
    // Nothing listens on this port.
    await app().client.settings.update({ smtp: { host: '127.0.0.1', port: 1, from: 'shop@example.com' } });
    services.settings.clear();
    await until('mails wait for the mail server', async () => (await measured('backroom_mails_due')) > 0);
    await app().client.settings.update({ smtp: null });
  });

  test('the server itself: whether it is ready, and its disk', async () => {
    await app().firstRounds;
    const { text } = await app().request({ path: '/metrics', token: null });
    assert.equal(figureOf(text, 'backroom_ready'), 1);
    const [size, free] = [figureOf(text, 'backroom_data_bytes'), figureOf(text, 'backroom_data_free_bytes')];
    assert.ok(free > 0 && size > free, `${free} of ${size}`);
  });
});

function figureOf(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? assert.fail(`${name} is not there`) : Number(value);
}
