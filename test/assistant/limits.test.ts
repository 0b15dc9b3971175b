import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { ask, atRest, itemOf, setModel } from '../helpers/assistant.ts';
import { until } from '../helpers/machines.ts';
import { type ModelServer, openModelServer } from '../helpers/model-server.ts';

const THREADS = 20;

/** The bytes of what a request says and of its tools, without the signs of JSON, of which the protocol adds some. */
function bytesOf(body: string): number {
  const { messages, tools }: Record<string, unknown> = JSON.parse(body);
  return Buffer.byteLength(JSON.stringify([messages, tools]).replaceAll(/"type":"function"|"function"|[{}[\],:"]/g, ''));
}

onBothStores('AS5: tokens', (app) => {
  let model: ModelServer;
  before(async () => {
    model = await openModelServer();
  });
  after(() => model.close());

  const statesOf = async () => (await app().client.assistant.list_threads({ per_page: 100 })).data.map(({ state }) => state);

  test('many threads at once never use more than the limit of a day', async () => {
    await setModel(app(), model, { day_tokens: 90_000 });
    const asked = model.asked.length;
    // Nobody is answered before each thread has either asked or been refused; then all use as much as they may.
    model.play(async ({ maxTokens, body }) => {
      await until('the threads do not come', async () => {
        const refused = (await statesOf()).filter((state) => state === 'failed').length;
        return model.asked.length - asked + refused >= THREADS;
      });
      return { text: 'Much.', usage: { prompt_tokens: Math.floor(body.length / 3), completion_tokens: maxTokens } };
    });
    const threads = await Promise.all(Array.from({ length: THREADS }, () => ask(app().client, 'Go')));
    const answered = threads.filter(({ state }) => state === 'idle');
    const refused = threads.filter(({ state }) => state === 'failed');
    assert.equal(answered.length + refused.length, THREADS);
    assert.ok(answered.length > 0 && refused.length > 0, `${answered.length} were answered`);
    assert.match(refused[0]?.error ?? '', /^The shop has \d+ tokens left for today, and the next answer may need \d+/);
    const used = threads.reduce((sum, { tokens_used }) => sum + tokens_used, 0);
    assert.ok(used <= 90_000, `${used} tokens`);
    const { shop_tokens_left_today: left } = await app().client.assistant.status();
    assert.equal(left, 90_000 - used);
    model.play(() => ({ text: 'Hello' }));
  });

  test('a thread holds a conversation of half its limit, and no tokenizer makes it exceed the limit', async () => {
    const talk = async (limit: number) => {
      await setModel(app(), model, { thread_tokens: limit });
      let thread = await ask(app().client, 'Begin');
      while (thread.state === 'idle') thread = await ask(app().client, 'Again', thread.id);
      assert.match(thread.error ?? '', /^This thread has \d+ tokens left/);
      return thread.tokens_used;
    };
    const text = 'Four words and more. '.repeat(400);
    // As most tokenizers have it, with four bytes to a token.
    model.play(() => ({ text }));
    const usual = await talk(200_000);
    assert.ok(usual > 100_000 && usual <= 200_000, `${usual} tokens`);
    // At worst, each byte of what is said and of each tool is a token.
    model.play(({ body, maxTokens }) => ({ text, usage: { prompt_tokens: bytesOf(body), completion_tokens: maxTokens } }));
    const worst = await talk(14_000);
    assert.ok(worst > 0 && worst <= 14_000, `${worst} tokens`);
  });

  test('a thread and an admin have limits of their own, which are told; the last answer is made to fit', async () => {
    await setModel(app(), model, { thread_tokens: 20_000 });
    model.play(({ maxTokens }) => ({ text: 'Long.', usage: { prompt_tokens: 1000, completion_tokens: maxTokens } }));
    let thread = await ask(app().client, 'Once');
    while (thread.state === 'idle') thread = await ask(app().client, 'Again', thread.id);
    assert.equal(itemOf(thread, 'notice').code, 'limit_reached');
    assert.match(thread.error ?? '', /^This thread has \d+ tokens left/);
    assert.ok(thread.tokens_used <= 20_000 && thread.tokens_max === 20_000, `${thread.tokens_used}`);
    await setModel(app(), model, { admin_day_tokens: 1000 });
    assert.match((await ask(app().client, 'Hello')).error ?? '', /^You have 0 tokens left for today/);
    assert.equal((await app().client.assistant.status()).tokens_left_today, 0);
  });

  test('what was reserved counts where the answer breaks off, and is given back where the service refused', async () => {
    await setModel(app(), model);
    model.play(() => ({ text: 'It begins well, and then', breaks: 'cut' }));
    const cut = await ask(app().client, 'Hello');
    assert.ok(cut.tokens_used > 8000, `${cut.tokens_used}`);
    model.play(() => ({ error: 'invalid', message: 'No.' }));
    assert.equal((await ask(app().client, 'Hello')).tokens_used, 0);
    model.play(() => ({ text: 'Hello' }));
    await app().client.assistant.retry(cut.id);
    assert.equal((await atRest(app().client, cut.id)).state, 'idle');
  });
});
