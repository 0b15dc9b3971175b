import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Completion } from '../../server/providers/llm/llm.ts';
import { createOpenAiLlm } from '../../server/providers/llm/openai.ts';
import { LLM_KEY, type LlmDouble, openLlmDouble, type Reply } from '../helpers/llm-double.ts';

let llm: LlmDouble;
before(async () => {
  llm = await openLlmDouble();
});
after(() => llm.close());

const ask = (api_key: string, signal = new AbortController().signal) =>
  createOpenAiLlm({ timeoutMs: 5000 }).complete(
    { base_url: llm.url, model: 'small', api_key },
    { messages: [{ role: 'user', content: 'Hi' }], maxTokens: 5 },
    signal,
  );

const failureOf = (asked: Promise<Completion>): Promise<unknown> =>
  asked.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );

test('SF11: no error of the language model, and no cause of it, contains the key, whatever the service answers', async () => {
  const replies: Reply[] = [401, 403, 400, 404, 429, 500].map((status) => ({ status, error: { message: `No, ${LLM_KEY}!` } }));
  for (const reply of [...replies, { raw: `"${LLM_KEY}` }, { raw: JSON.stringify({ choices: LLM_KEY }) }, 'cut', 'stream'] as Reply[]) {
    llm.decide(() => reply);
    const error: unknown = await failureOf(ask(LLM_KEY));
    assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes(LLM_KEY), inspect(error));
  }
  const wrong = 'sk-another-key-0123456789';
  const error: unknown = await failureOf(ask(wrong));
  assert.ok(!inspect(error, { depth: 20, showHidden: true }).includes(wrong));
});

test('SF11: an aborted call ends at once, and its connection to the service is closed', async () => {
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  llm.decide(async (_, closed): Promise<Reply> => {
    begun.resolve();
    await closed;
    gone.resolve();
    return 'cut';
  });
  const stop = new AbortController();
  const sent = assert.rejects(ask(LLM_KEY, stop.signal));
  await begun.promise;
  stop.abort();
  await sent;
  await gone.promise;
});
