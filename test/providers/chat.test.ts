import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { ChatAccount, ChatPart, ChatRequest, ChatTurn } from '../../server/providers/chat/chat.ts';
import { createChat } from '../../server/providers/chat/chats.ts';
import { AccountRefused, ContextTooLong, LlmBusy, LlmFailed, PromptRefused } from '../../server/providers/llm/llm.ts';
import { inOrder, MODEL_KEY, type ModelServer, openModelServer, type Provider, type Reply } from '../helpers/model-server.ts';
import { freePort } from '../helpers/ports.ts';

/** Both adapters against a server that speaks their protocols. */

const PROVIDERS: readonly Provider[] = ['openai', 'anthropic'];
const SILENT_MS = 5000;

let model: ModelServer;
before(async () => {
  model = await openModelServer();
});
after(() => model.close());

const account = (provider: Provider, more: Partial<ChatAccount> = {}): ChatAccount => ({
  provider,
  base_url: model.url(provider),
  model: 'large',
  api_key: MODEL_KEY,
  ...more,
});
const tool = (name: string) => ({ name, description: `Does ${name}`, input: { type: 'object', properties: { q: { type: 'string' } } } });
const hello: ChatTurn = { role: 'user', text: 'Tag the late orders' };
const request = (...turns: ChatTurn[]): ChatRequest => ({
  system: 'You help a shop.',
  turns: [hello, ...turns],
  tools: [tool('read'), tool('check')],
  maxTokens: 500,
});

type Asking = { account?: Partial<ChatAccount>; request?: ChatRequest; signal?: AbortSignal; silentMs?: number };

async function partsOf(provider: Provider, asking: Asking = {}): Promise<ChatPart[]> {
  const chat = createChat({ silentMs: asking.silentMs ?? SILENT_MS });
  const signal = asking.signal ?? new AbortController().signal;
  const parts: ChatPart[] = [];
  for await (const part of chat.stream(account(provider, asking.account), asking.request ?? request(), signal)) parts.push(part);
  return parts;
}

const play = (provider: Provider, reply: Reply, asking?: Asking): Promise<ChatPart[]> => {
  model.play(() => reply);
  return partsOf(provider, asking);
};

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );

const textOf = (parts: readonly ChatPart[]): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const callsOf = (parts: readonly ChatPart[]) => parts.flatMap((part) => (part.kind === 'call' ? part.call : []));

const TEXT = 'I look at the orders first: “späte” ones 🧾, those that are pending for more than three days.';

for (const provider of PROVIDERS) {
  test(`${provider}: words come as they are written, with what they cost`, async () => {
    const parts = await play(provider, { text: TEXT, usage: { prompt_tokens: 70, completion_tokens: 9 } });
    assert.equal(textOf(parts), TEXT);
    assert.ok(parts.length > 3, 'in several parts');
    assert.deepEqual(parts.at(-1), { kind: 'end', reason: 'stop', usage: { prompt_tokens: 70, completion_tokens: 9 } });
    const { system, said, tools, maxTokens, headers } = model.asked.at(-1) ?? assert.fail();
    assert.deepEqual([system, tools, maxTokens], ['You help a shop.', ['read', 'check'], 500]);
    assert.deepEqual(said, [{ role: 'user', text: 'Tag the late orders', calls: [], answers: [] }]);
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('x-') && name !== 'x-api-key'),
      [],
      'nothing of this machine is told',
    );
  });

  test(`${provider}: parallel calls of tools, and what is no JSON object, are told apart`, async () => {
    const parts = await play(provider, {
      text: 'Two at once.',
      calls: [
        { name: 'read', input: { q: `a "quoted" text of ${'many '.repeat(40)}words` } },
        { name: 'check', input: '{"q": "cut off' },
        { name: 'check', input: '["a list"]' },
        { name: 'read', input: '' },
      ],
    });
    const calls = callsOf(parts);
    assert.deepEqual(
      calls.map(({ name, input, written }) => [name, input, written.length]),
      [
        ['read', { q: `a "quoted" text of ${'many '.repeat(40)}words` }, calls[0]?.written.length],
        ['check', null, 14],
        ['check', null, 10],
        ['read', {}, 0],
      ],
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
    const end = parts.at(-1);
    assert.equal(end?.kind === 'end' && end.reason, 'calls');
  });

  test(`${provider}: a conversation with answers of tools is sent as the provider wants it`, async () => {
    const first = await play(provider, {
      calls: [
        { name: 'read', input: { q: 'x' } },
        { name: 'check', input: 'no json' },
      ],
    });
    const calls = callsOf(first);
    const answers = calls.map(({ id }, n) => ({ id, text: `answer ${n}`, isError: n === 1 }));
    const turns: ChatTurn[] = [
      { role: 'assistant', text: '', calls },
      { role: 'tools', answers },
      { role: 'assistant', text: ' \n', calls: [] },
      { role: 'assistant', text: '', calls: [] },
      { role: 'user', text: 'Go on' },
    ];
    const parts = await play(provider, { text: 'Done.' }, { request: request(...turns) });
    assert.equal(textOf(parts), 'Done.');
    const { said } = model.asked.at(-1) ?? assert.fail();
    assert.deepEqual(
      said[1]?.calls.map(({ input }) => input),
      [{ q: 'x' }, { not_json: 'no json' }],
    );
    assert.deepEqual(
      said[2]?.answers.map(({ text }) => text),
      ['answer 0', 'answer 1'],
    );
  });

  test(`${provider}: an answer that is cut off at its limit, and one that is refused, say so`, async () => {
    const cut = await play(provider, { text: 'Half', calls: [{ name: 'read', input: '{"q": "ha' }], finish: 'length' });
    assert.deepEqual(
      cut.map((part) => (part.kind === 'end' ? part.reason : part.kind === 'call' ? part.call.input : part.text)),
      ['Half', null, 'length'],
    );
    const refused = await play(provider, { text: 'I will not.', calls: [{ name: 'read', input: {} }], finish: 'refusal' });
    assert.deepEqual(
      refused.map((part) => (part.kind === 'end' ? part.reason : part.kind)),
      ['text', 'refusal'],
      'a call of a refused answer is not made',
    );
  });

  test(`${provider}: each refusal of the service is the error that it is`, async () => {
    const failure = (reply: Reply): Promise<unknown> => failureOf(play(provider, reply));
    const busy = await failure({ error: 'busy', retryAfter: 7 });
    assert.ok(busy instanceof LlmBusy && busy.retryAfterSeconds === 7, inspect(busy));
    const overloaded = await failure({ error: 'overloaded' });
    assert.ok(overloaded instanceof LlmBusy && overloaded.retryAfterSeconds === 1, inspect(overloaded));
    for (const error of ['unauthorized', 'no_credit', 'unknown_model'] as const) {
      assert.ok((await failure({ error })) instanceof AccountRefused, error);
    }
    assert.match(String(await failure({ error: 'no_credit' })), /no credit left/);
    assert.ok((await failure({ error: 'too_long' })) instanceof ContextTooLong);
    const invalid = await failure({ error: 'invalid' });
    assert.ok(invalid instanceof PromptRefused && !(invalid instanceof ContextTooLong), inspect(invalid));
    assert.ok((await failure({ error: 'broken' })) instanceof LlmFailed);
    assert.ok(
      (await failureOf(partsOf(provider, { account: { base_url: `http://127.0.0.1:${await freePort()}/v1` } }))) instanceof AccountRefused,
    );
  });

  test(`${provider}: a context that is too long is known by the words of other servers, too`, async () => {
    for (const message of [
      "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens.",
      'the request exceeds the available context size, try increasing it',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    ]) {
      assert.ok((await failureOf(play(provider, { error: 'invalid', message }))) instanceof ContextTooLong, message);
    }
    assert.ok(
      (await failureOf(play(provider, { error: 'busy', message: 'Request too large for large on tokens per min.' }))) instanceof
        ContextTooLong,
    );
  });

  test(`${provider}: a stream that breaks off throws, whatever it had given`, async () => {
    for (const breaks of ['cut', 'end', 'overloaded'] as const) {
      const error = await failureOf(play(provider, { text: TEXT, calls: [{ name: 'read', input: { q: TEXT } }], breaks }));
      assert.ok(error instanceof LlmFailed, `${breaks}: ${inspect(error)}`);
      // Such an answer is charged, too, though nothing of it was given.
      const silent = await failureOf(play(provider, { calls: [{ name: 'read', input: { q: TEXT } }], breaks }));
      assert.ok(silent instanceof LlmFailed, `${breaks}: ${inspect(silent)}`);
    }
  });

  test(`${provider}: a service that falls silent is left; one that is read slowly is not`, async () => {
    const silent = await failureOf(play(provider, { text: TEXT, breaks: 'silent' }, { silentMs: 2000 }));
    assert.match(String(silent), /nothing came for 2 s/);
    model.play(() => new Promise(() => undefined));
    assert.match(String(await failureOf(partsOf(provider, { silentMs: 2000 }))), / 2 s/);
    model.play(() => ({ text: TEXT }));
    let text = '';
    for await (const part of createChat({ silentMs: 2000 }).stream(account(provider), request(), new AbortController().signal)) {
      if (text === '') await new Promise((resolve) => setTimeout(resolve, 2250));
      if (part.kind === 'text') text += part.text;
    }
    assert.equal(text, TEXT);
  });

  test(`${provider}: a request that is stopped ends at once, before its answer and within it`, async () => {
    const stop = new AbortController();
    model.play(() => {
      stop.abort();
      return new Promise(() => undefined);
    });
    assert.match(String(await failureOf(partsOf(provider, { signal: stop.signal }))), /was stopped/);
    model.play(() => ({ text: TEXT, breaks: 'silent' }));
    const within = new AbortController();
    const reading = (async () => {
      for await (const _ of createChat({ silentMs: SILENT_MS }).stream(account(provider), request(), within.signal)) within.abort();
    })();
    assert.match(String(await failureOf(reading)), /was stopped/);
  });

  test(`SF11: ${provider}: no error, and no cause of it, contains the key; the environment has no say`, async (t) => {
    const message = `No, ${MODEL_KEY}!`;
    for (const error of ['invalid', 'unauthorized', 'unknown_model', 'broken', 'busy', 'too_long'] as const) {
      const failure = await failureOf(play(provider, { error, message }));
      assert.ok(!inspect(failure, { depth: 20, showHidden: true }).includes(MODEL_KEY), inspect(failure));
    }
    const given = { ...process.env };
    t.after(() => {
      process.env = given;
    });
    const custom = 'Authorization: Bearer other\nX-Api-Key: other\nX-Told: secret';
    const others = { OPENAI_API_KEY: 'other', ANTHROPIC_API_KEY: 'other', ANTHROPIC_AUTH_TOKEN: 'other', OPENAI_ORG_ID: 'other' };
    process.env = {
      ...given,
      ...others,
      OPENAI_CUSTOM_HEADERS: custom,
      ANTHROPIC_CUSTOM_HEADERS: custom,
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    };
    for (const api_key of [MODEL_KEY, null]) {
      assert.equal(textOf(await play(provider, { text: 'Yes' }, { account: { api_key } })), 'Yes');
      const { headers } = model.asked.at(-1) ?? assert.fail();
      assert.ok(!JSON.stringify(headers).includes('other') && !('x-told' in headers), inspect(headers));
      if (api_key === null) assert.deepEqual([headers.authorization, headers['x-api-key']], [undefined, undefined]);
    }
  });
}

test('a model of OpenAI that knows max_completion_tokens alone is asked by it', async () => {
  model.play((asked) =>
    asked.body.includes('"max_tokens"') ? { error: 'invalid', message: 'Unsupported parameter.', param: 'max_tokens' } : { text: 'Yes' },
  );
  assert.equal(textOf(await partsOf('openai')), 'Yes');
});

test('an address of Anthropic may end as those of others do', async () => {
  model.play(inOrder({ text: 'One' }, { text: 'Two' }));
  for (const [end, text] of [
    ['/v1', 'One'],
    ['/', 'Two'],
  ] as const) {
    assert.equal(textOf(await partsOf('anthropic', { account: { base_url: `${model.url('anthropic')}${end}` } })), text);
  }
});
