import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { AdminApi } from '../../contract/calls.ts';
import { createClient } from '../../contract/client.ts';
import { OWNER_TOKEN } from '../helpers/app.ts';
import { atRest, itemsOf } from '../helpers/assistant.ts';
import { killIfAlive, startMachines, until } from '../helpers/machines.ts';
import { inOrder, MODEL_KEY, openModelServer } from '../helpers/model-server.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const WRITTEN = { source_code: 'export default async () => 1;', permissions: [] };
const STOPPED = 'The server stopped while it worked. Retry goes on.';
const usage = { prompt_tokens: 100, completion_tokens: 10 };

function clientAt(url: string): AdminApi {
  return createClient(async ({ method, path, body, headers = {} }) => {
    const answer = await fetch(`${url}/admin/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OWNER_TOKEN}`,
        'idempotency-key': `"${randomUUID()}"`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: {}, body: text === '' ? null : JSON.parse(text) };
  });
}

describe('turns of the assistant whose server is killed (AS2, AS5)', { concurrency: true, timeout: 300_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) {
    test(`another server tells it, a retry goes on, and nothing is done or counted twice [${engine}]`, async (t) => {
      const model = await openModelServer();
      const machines = await startMachines(engine);
      t.after(async () => {
        await model.close();
        await machines.close();
      });
      const second = await machines.startSecond();
      t.after(() => second.stop('SIGKILL'));
      const [first, other] = [machines.client.assistant, clientAt(second.url)];
      await machines.client.settings.update({
        assistant: { provider: 'openai', base_url: model.url('openai'), model: 'small', api_key: MODEL_KEY },
      });
      const leftOf = async (api: AdminApi) => (await api.assistant.status()).shop_tokens_left_today ?? assert.fail();
      const left = await leftOf(other);

      // Killed while the model answers: nobody knows what that used, so what was reserved counts.
      model.play(() => new Promise(() => undefined));
      const { id } = await first.create_thread({});
      await first.send_message(id, { text: 'Write it' });
      await until('the model is asked', () => model.asked.length === 1);
      killIfAlive(machines.server().pid);
      const dead = await atRest(other, id);
      assert.deepEqual([dead.state, dead.error], ['failed', STOPPED]);
      const reserved = dead.tokens_used;
      assert.ok(reserved > 8192, `${reserved} tokens`);
      assert.equal(await leftOf(other), left - reserved);

      // Killed while a tool works: no runner takes the dry run that it waits for.
      await machines.startServer();
      model.play(
        inOrder({
          usage,
          calls: [
            { name: 'write_draft', input: WRITTEN },
            { name: 'dry_run', input: { wait_seconds: 60 } },
          ],
        }),
      );
      await other.assistant.retry(id);
      const runs = async () => (await machines.store.reader.selectFrom('runs').select('id').execute()).length;
      await until('the dry run is started', async () => (await runs()) === 1);
      killIfAlive(second.pid);
      const again = await atRest(machines.client, id);
      assert.deepEqual([again.state, again.error, again.tokens_used], ['failed', STOPPED, reserved + 110]);

      model.play(() => ({ text: 'It is written.', usage }));
      await first.retry(id);
      const whole = await atRest(machines.client, id);
      assert.deepEqual([whole.state, whole.tokens_used], ['idle', reserved + 220]);
      assert.deepEqual(
        whole.items.map(({ kind }) => kind),
        ['user', 'tool', 'draft', 'tool', 'words'],
      );
      assert.equal(whole.draft?.source_code, WRITTEN.source_code);
      assert.deepEqual(
        itemsOf(whole, 'tool').map(({ answer }) => answer !== null),
        [true, false],
      );
      assert.equal(await runs(), 1);
      const told = model.asked.at(-1)?.said.flatMap(({ answers }) => answers.map(({ text }) => text)) ?? [];
      assert.deepEqual(
        told.map((text) => /^interrupted: the turn ended/.test(text)),
        [false, true],
      );
      assert.equal(await leftOf(machines.client), left - whole.tokens_used);
    });
  }
});
