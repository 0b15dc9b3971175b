import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../../contract/run-events.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { hello, LLM_KEY, type LlmDouble, openLlmDouble, type Reply } from '../helpers/llm-double.ts';
import { until } from '../helpers/machines.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, field, lapse, makeTask } from '../helpers/runs.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

describe('SF11: llm.complete', { concurrency: true }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

function suite(engine: Engine): void {
  let app: TestApp;
  let llm: LlmDouble;

  before(async () => {
    llm = await openLlmDouble();
    app = await startApp(engine, { env: { LLM_TIMEOUT_SECONDS: '5', LEASE_SECONDS: '20' } });
  });
  after(async () => {
    await app.close();
    await llm.close();
  });

  const configure = async (api_key: string | null = LLM_KEY): Promise<void> => {
    await app.client.settings.update({ llm: { base_url: llm.url, model: 'small', api_key } });
  };
  const open = async (limits: { llm_tokens?: number } = {}, on_interrupt: 'hold' | 'resume' = 'hold'): Promise<ClaimedRun> =>
    claimedRun(app, {}, await makeTask(app, { permissions: ['llm'] }, { limits, on_interrupt }));
  const ask = (run: ClaimedRun, body: Record<string, Json> = {}, options = {}) =>
    run.call('POST', '/llm/completions', { messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 50, ...body }, options);
  const effectsOf = (run: ClaimedRun) => app.client.ai_tasks.list_effects(run.taskId, run.runId);
  const tokensOf = async (run: ClaimedRun): Promise<number> =>
    (await app.store.reader.selectFrom('lineages').select('llm_tokens').where('id', '=', run.claim.lineage_id).executeTakeFirstOrThrow())
      .llm_tokens;

  /** Lets the lease end and claims the run for its next attempt. */
  async function again(run: ClaimedRun): Promise<ClaimedRun> {
    await lapse(app, run);
    return { ...run, ...(await claimRun(app, run)) };
  }

  async function asking<T>(decide: Parameters<LlmDouble['decide']>[0], act: () => Promise<T>): Promise<T> {
    llm.decide(decide);
    try {
      return await act();
    } finally {
      llm.decide(hello);
    }
  }

  test('a completion needs a configured model (409 llm_not_configured) and the permission of a task; admins get 403', async () => {
    assert.deepEqual(codeOf(await ask(await open())), [409, 'llm_not_configured']);
    await configure();
    const other = await claimedRun(app);
    const refused = await ask(other);
    assert.deepEqual([codeOf(refused), field(refused.body, 'required_permission')], [[403, 'forbidden'], 'llm']);
    const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 };
    for (const headers of [{}, { 'idempotency-key': 'mine' }]) {
      assert.deepEqual(codeOf(await app.request({ method: 'POST', path: '/admin/api/llm/completions', body, headers })), [
        403,
        'forbidden',
      ]);
    }
  });

  test('the prompt goes to the configured model with its key, and the answer shows the tokens used', async () => {
    const run = await open();
    const messages = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Grüß Gott' },
    ];
    const answer = await ask(run, { messages, max_tokens: 20 });
    const usage = { prompt_tokens: 9, completion_tokens: 3 };
    assert.deepEqual([answer.status, answer.body], [200, { text: 'Hello!', json: null, finish_reason: 'stop', usage }]);
    const { authorization, request_id, ...body } = llm.asked.at(-1) ?? {};
    assert.equal(request_id, answer.headers['x-request-id'], 'the model gets the id of the request that caused its call');
    assert.deepEqual([authorization, body], [`Bearer ${LLM_KEY}`, { model: 'small', messages, max_tokens: 20 }]);
    const [effect] = await effectsOf(run);
    assert.deepEqual(
      [effect?.resource, effect?.changes, effect?.maybe_twice],
      [{ type: 'llm_completion', id: null }, { tokens: [null, 12] }, false],
    );
    assert.equal(await tokensOf(run), 12);
  });

  test('a wrong value is refused with its code', async () => {
    const run = await open();
    const message = { role: 'user', content: 'x' };
    for (const [body, code] of [
      [{ messages: [] }, 'out_of_range'],
      [{ messages: [{ role: 'robot', content: 'x' }] }, 'invalid_enum'],
      [{ messages: [{ role: 'user', content: '' }] }, 'blank'],
      [{ messages: Array.from({ length: 1001 }, () => message) }, 'too_long'],
      [{ max_tokens: 0 }, 'out_of_range'],
      [{ max_tokens: 1_000_001 }, 'out_of_range'],
      [{ schema: { type: 'banana' } }, 'invalid_value'],
      [{ schema: { if: {} } }, 'invalid_value'],
      [{ schema: 5 }, 'invalid_type'],
    ] as const) {
      assert.deepEqual(codeOf(await ask(run, body as Record<string, Json>)), [422, code], JSON.stringify(body).slice(0, 80));
    }
  });

  const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false };

  test('the model gets the schema and its answer is checked against it; an invalid answer is 422, charged and journalled', async () => {
    const run = await open();
    const good = await asking(
      () => ({ text: '{"sum":42}' }),
      () => ask(run, { schema }),
    );
    assert.deepEqual([good.status, field(good.body, 'json')], [200, { sum: 42 }]);
    assert.deepEqual(llm.asked.at(-1)?.response_format, { type: 'json_schema', json_schema: { name: 'answer', schema } });
    for (const [reply, detail, max_tokens] of [
      [{ text: '{"sum":"42"}', usage: { prompt_tokens: 5, completion_tokens: 5 } }, /\/sum: /, 51],
      [{ text: '{"su', finish_reason: 'length', usage: { prompt_tokens: 5, completion_tokens: 5 } }, /not JSON, cut off at max_tokens/, 52],
    ] as const) {
      const before = await tokensOf(run);
      const bad = await asking(
        () => reply,
        () => ask(run, { schema, max_tokens }),
      );
      assert.deepEqual(codeOf(bad), [422, 'llm_answer_invalid']);
      assert.match(String(field(bad.body, 'detail')), detail);
      assert.equal(await tokensOf(run), before + 10);
      const count = llm.asked.length;
      assert.equal((await ask(run, { schema, max_tokens })).text, bad.text, 'the refusal is journalled');
      assert.equal(llm.asked.length, count);
    }
  });

  test('a schema pattern that takes for ever delays no other request', async () => {
    const run = await open();
    const evil = { type: 'string', pattern: '^(a+)+$' };
    const completed = Promise.withResolvers<void>();
    let checked = false;
    const sent = asking(
      () => {
        completed.resolve();
        return { text: JSON.stringify(`${'a'.repeat(64)}b`) };
      },
      () => ask(run, { schema: evil }).finally(() => (checked = true)),
    );
    await completed.promise;
    let answered = 0;
    for (; !checked; answered += 1) await app.client.settings.get();
    // The last request may have waited for the check. On a blocked server there would be only that one.
    assert.ok(answered > 2, `${answered} other requests were answered during the check`);
    assert.deepEqual(codeOf(await sent), [422, 'llm_answer_invalid']);
  });

  test('JO5: the next attempt gets the journalled completion without a charge; simultaneous identical calls are one', async () => {
    const run = await open({}, 'resume');
    const count = llm.asked.length;
    const answers = await asking(
      async () => {
        await delay(50);
        return hello();
      },
      () => Promise.all([ask(run), ask(run), ask(run)]),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(llm.asked.length, count + 1);
    const next = await again(run);
    const replayed = await ask(next);
    assert.deepEqual([replayed.text, replayed.headers['idempotency-replayed']], [answers[0]?.text, 'true']);
    assert.deepEqual([llm.asked.length, await tokensOf(run)], [count + 1, 12]);
  });

  test('JO9: a completion whose claim ends is aborted, made again by the next attempt, and marked maybe_twice', async () => {
    const run = await open({}, 'resume');
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    llm.decide(async (_, closed): Promise<Reply> => {
      begun.resolve();
      await closed;
      gone.resolve();
      return 'cut';
    });
    const sent = ask(run);
    await begun.promise;
    const next = await again(run);
    await gone.promise;
    llm.decide(hello);
    assert.deepEqual(codeOf(await sent), [409, 'run_fenced']);
    const answer = await until('the repeat is answered', async () => {
      const given = await ask(next);
      return codeOf(given)[1] !== 'idempotency_in_progress' && given;
    });
    assert.equal(answer.status, 200);
    const effects = await effectsOf(run);
    assert.deepEqual(
      effects.map(({ maybe_twice }) => maybe_twice),
      [true],
    );
    assert.equal(await tokensOf(run), 12 + 50 + 3, 'the aborted completion is charged with its largest possible cost');
  });

  test('LI1, SF11: a completion that may cost more than is left is refused unasked; a raised limit allows it', async () => {
    const run = await open({ llm_tokens: 100 });
    assert.equal((await ask(run)).status, 200);
    const count = llm.asked.length;
    for (const body of [{ max_tokens: 90 }, { messages: [{ role: 'user', content: 'x'.repeat(400) }], max_tokens: 1 }]) {
      const refused = await ask(run, body);
      assert.deepEqual([codeOf(refused), field(refused.body, 'limit')], [[409, 'llm_budget_spent'], 100]);
      assert.match(String(field(refused.body, 'detail')), /^88 of 100 llm tokens are left/);
    }
    assert.equal(llm.asked.length, count);
    await app.client.ai_tasks.update(run.taskId, { settings: { limits: { llm_tokens: 200 } } });
    assert.equal((await ask(run, { max_tokens: 90 })).status, 200, 'the refusal was not journalled');
  });

  test('LI1, SF11: a completion waits while another one may still use the tokens it needs', async () => {
    const run = await open({ llm_tokens: 100 });
    const first = Promise.withResolvers<Reply>();
    const begun = Promise.withResolvers<void>();
    await asking(
      ({ max_tokens }) => {
        if (max_tokens !== 60) return hello();
        begun.resolve();
        return first.promise;
      },
      async () => {
        const sent = ask(run, { max_tokens: 60 });
        await begun.promise;
        const waits = await ask(run, { max_tokens: 61 });
        assert.deepEqual([codeOf(waits), waits.headers['retry-after']], [[503, 'busy'], '1']);
        first.resolve(hello());
        assert.equal((await sent).status, 200);
        assert.equal((await ask(run, { max_tokens: 61 })).status, 200);
      },
    );
  });

  test('each failure of the service has its own error and answers its own request alone; a refused prompt is journalled', async () => {
    const run = await open();
    const again = { text: 'again', usage: null } as const;
    const cases: [Reply, number, string, RegExp][] = [
      [{ status: 429, error: { code: 'rate_limit_exceeded' }, headers: { 'retry-after': '7' } }, 503, 'busy', /no more requests/],
      [{ status: 503 }, 503, 'busy', /no more requests/],
      [{ status: 429, error: { code: 'insufficient_quota' } }, 502, 'provider_error', /no credit/],
      [{ status: 500 }, 502, 'provider_error', /answered 500/],
      [{ raw: '{"choices": [' }, 502, 'provider_error', /cannot be read/],
      [{ raw: '{"choices": []}' }, 502, 'provider_error', /not a chat completion/],
      ['cut', 502, 'provider_error', /connection broke/],
      ['stream', 502, 'provider_error', /more than 2097152 bytes/],
      [{ status: 404, error: { message: 'The model does not exist.' } }, 502, 'provider_error', /The model does not exist/],
    ];
    for (const [n, [reply, status, code, detail]] of cases.entries()) {
      const body = { max_tokens: 100 + n };
      const count = llm.asked.length;
      const failed = await asking(
        () => reply,
        () => ask(run, body),
      );
      assert.deepEqual(codeOf(failed), [status, code], failed.text);
      assert.match(String(field(failed.body, 'detail')), detail);
      assert.equal(llm.asked.length, count + 1, 'the service is asked once');
      if (n === 0) assert.equal(failed.headers['retry-after'], '7');
      if (status === 502) assert.equal((await ask(run, body)).text, failed.text, 'the same request');
      const repeated = await asking(
        () => again,
        () => ask(run, body, { occurrence: status === 502 ? 1 : 0 }),
      );
      assert.equal(field(repeated.body, 'text'), 'again', `${code} is no answer to another call`);
    }
    const refused = await asking(
      () => ({ status: 400, error: { message: "This model's maximum context length is 8 tokens." } }),
      () => ask(run),
    );
    assert.deepEqual(codeOf(refused), [422, 'llm_refused']);
    assert.match(String(field(refused.body, 'detail')), /maximum context length/);
    assert.equal((await ask(run)).text, refused.text);
  });

  test('a service that does not answer in time is given up, and the largest possible cost is charged', async () => {
    const run = await open();
    const failed = await asking(
      async (_, closed): Promise<Reply> => {
        await closed;
        return 'cut';
      },
      () => ask(run),
    );
    assert.deepEqual(codeOf(failed), [502, 'provider_error']);
    assert.match(String(field(failed.body, 'detail')), /no answer within 5 s/);
    assert.equal(await tokensOf(run), 53);
  });

  test('a newer model gets max_completion_tokens; missing usage is estimated', async () => {
    const run = await open();
    const answer = await asking(
      ({ max_tokens }) =>
        max_tokens === undefined
          ? { text: 'Hello, World', usage: null }
          : { status: 400, error: { message: "Use 'max_completion_tokens'.", code: 'unsupported_parameter', param: 'max_tokens' } },
      () => ask(run),
    );
    assert.deepEqual(field(answer.body, 'usage'), { prompt_tokens: 3, completion_tokens: 3 });
    assert.deepEqual([llm.asked.at(-1)?.max_completion_tokens, llm.asked.at(-1)?.max_tokens], [50, undefined]);
  });

  test('the key appears in no answer, even if the service repeats it; without a key no Authorization is sent', async () => {
    await configure('sk-wrong-key-0123456789');
    const run = await open();
    const refused = await ask(run);
    assert.deepEqual(codeOf(refused), [502, 'provider_error']);
    assert.doesNotMatch(refused.text, /sk-/);
    await configure();
    const echoed = await asking(
      () => ({ status: 400, error: { message: `Bad request of ${LLM_KEY}` } }),
      () => ask(run, { max_tokens: 7 }),
    );
    assert.match(String(field(echoed.body, 'detail')), /Bad request of \*\*\*/);
    await configure(null);
    assert.equal((await ask(run, { max_tokens: 8 })).status, 200);
    assert.equal(llm.asked.at(-1)?.authorization, undefined);
    await configure();
  });

  test('DR4: a dry run gets a sample that fits the schema, and the service is not asked', async () => {
    const run = await claimedRun(app, { dry_run: true }, await makeTask(app, { permissions: ['llm'] }));
    const count = llm.asked.length;
    const answer = await ask(run, { schema });
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    assert.deepEqual(answer.body, { text: '{"sum":0}', json: { sum: 0 }, finish_reason: 'stop', usage, dry_run: true });
    assert.deepEqual([llm.asked.length, await tokensOf(run), await effectsOf(run)], [count, 0, []]);
    assert.equal((await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed' }])).status, 204);
    const applied = await app.request({ method: 'POST', path: `${run.path}/apply` });
    assert.deepEqual(codeOf(applied), [409, 'not_applicable'], 'a plan that contains a sample');
  });
}
