import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { codeOf } from '../helpers/runs.ts';

const MODEL = { provider: 'openai' as const, base_url: 'http://127.0.0.1:9/v1', model: 'small' };

onBothStores('AS1: threads of the assistant', (app) => {
  test('without a model, one sentence says what to set', async () => {
    const { configured, missing } = await app().client.assistant.status();
    assert.deepEqual(
      [configured, missing],
      [false, 'No model is set for the assistant; an owner sets one in the console under Settings, Shop.'],
    );
    assert.deepEqual(codeOf(await app().request({ method: 'POST', path: '/admin/api/assistant/threads', body: {} })), [
      409,
      'assistant_not_configured',
    ]);
  });

  test('a thread is begun, listed, read and deleted', async () => {
    await app().client.settings.update({ assistant: MODEL });
    const made = await app().client.assistant.create_thread({});
    const { data } = await app().client.assistant.list_threads({});
    assert.equal(data[0]?.id, made.id);
    assert.deepEqual((await app().client.assistant.get_thread(made.id)).items, []);
    await app().client.assistant.delete_thread(made.id);
    assert.equal((await app().request({ path: `/admin/api/assistant/threads/${made.id}` })).status, 404);
  });
});
