import { setTimeout as delay } from 'node:timers/promises';
import type { AdminApi } from '../../contract/calls.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { RUNNER_TOKEN, startApp, type TestApp } from '../../test/helpers/app.ts';
import { openInProcessRunner } from '../../test/helpers/in-process-runner.ts';
import { authorizationUrl, beginRequest, openBrowser, pkce, register } from '../../test/helpers/oauth.ts';
import { originOf, PasskeyBrowser } from '../../test/helpers/passkey-browser.ts';
import { type ClaimedRun, claimedRun, makeTask } from '../../test/helpers/runs.ts';
import { storeSubscriptionOrder } from '../../test/helpers/stored-rows/subscriptions.ts';
import { openDoubles, warehouse } from './doubles.ts';
import type { ExampleShop } from './examples/example.ts';

const SEED = 1;
const ORDERS = 120;
const DAY_MS = 86_400_000;

const CALLBACK = 'https://accountant.example/callback';
const PLACED = { customer_name: 'Ciara Doyle', customer_email: 'ciara.doyle@example.org' };

export type OpenShop = { app: TestApp; shop: Omit<ExampleShop, 'got'>; close(): Promise<void> };

/** Opens a shop with the sample data, whose server checks each of its answers against the contract. */
export async function openExampleShop(): Promise<OpenShop> {
  const doubles = await openDoubles();
  const app = await startApp('sqlite', { outgoing: warehouse, env: { RATE_LIMIT: '6000', ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  // The check of types takes longest to start, so it starts beside all else.
  const warm = app.client.ai_tasks.check_draft({ source_code: 'export default () => 1;', permissions: [], parameters: [] });
  // The data change from day to day, not from minute to minute.
  const now = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  await fillSampleShop(app.store, { seed: SEED, now, orders: ORDERS });
  await app.client.settings.update({
    public_url: originOf(app),
    smtp: { host: '127.0.0.1', port: doubles.smtpPort, from: 'shop@example.org' },
  });
  const runner = openInProcessRunner(app);
  const runs = new Map<string, ClaimedRun>();
  return {
    app,
    shop: {
      api: app.client,
      as: app.clientFor,
      finish: (taskId, runId) => runner.finish(taskId, runId),
      claimed: async (task, run) => claimedRun(app, run, await makeTask(app, task, { on_interrupt: 'resume' })),
      askForAgent: async () => {
        // At the public address, whose name passkeys need.
        const named = { ...app, url: originOf(app) };
        const { body } = await register(named, { client_name: 'Reports of the accountant', redirect_uris: [CALLBACK] });
        const url = authorizationUrl(named, { client_id: body.client_id, redirect_uri: CALLBACK, code_challenge: pkce().challenge });
        return beginRequest(named, openBrowser(named), url);
      },
      paidSubscriptionOrder: async () => (await storeSubscriptionOrder(app.store, { order: PLACED })).order.id,
      failedMail: () => failedMail(app.client),
      browser: new PasskeyBrowser(app),
      runs,
      runOf(name) {
        const run = runs.get(name);
        if (!run) throw new Error(`no example has left a run "${name}"`);
        return run;
      },
      runnerToken: RUNNER_TOKEN,
      doubles,
    },
    async close() {
      await warm;
      await runner.close();
      await doubles.close();
      await app.close();
    },
  };
}

/** An inquiry by somebody whose mailbox is gone; the answer to it fails. */
async function failedMail(api: AdminApi): Promise<number> {
  const { id } = await api.inquiries.create({ name: 'Nobody', email: 'nobody@example.org', body: 'Where is my parcel?' });
  await api.inquiries.answer(id, { body: 'On its way.' });
  for (;;) {
    const [failed] = (await api.mails.list({ status: 'failed' })).data;
    if (failed) return failed.id;
    await delay(20);
  }
}
