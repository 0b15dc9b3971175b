import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { onBothStores } from '../helpers/app.ts';
import { ask, atRest, itemOf, itemsOf, setModel } from '../helpers/assistant.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { inOrder, MODEL_KEY, type ModelServer, openModelServer } from '../helpers/model-server.ts';

const SOURCE = `export default async function main() {
  for await (const customer of admin.customers.each()) await admin.customers.create_note(customer.id, { body: 'seen' });
}`;
const WRITTEN = { source_code: SOURCE, permissions: ['admin_api.customers.write'] };
const Tried = z.object({ id: z.number(), task_id: z.number() });

const logged: string[] = [];
const log = (line: string): void => {
  logged.push(line);
};

onBothStores(
  'AS2, AS3, AS4: turns of the assistant',
  (app) => {
    let model: ModelServer;
    let runner: InProcessRunner;
    before(async () => {
      model = await openModelServer();
      runner = openInProcessRunner(app());
      await setModel(app(), model);
      await makeCustomer(app());
    });
    after(async () => {
      await runner.close();
      await model.close();
    });

    for (const provider of ['openai', 'anthropic'] as const)
      test(`answers with words, and tells what they cost (${provider})`, async () => {
        await setModel(app(), model, { provider });
        model.play(() => ({ text: 'Good day!', usage: { prompt_tokens: 700, completion_tokens: 20 } }));
        const thread = await ask(app().client, 'Hello\nto you');
        assert.deepEqual([thread.state, thread.error, thread.title, thread.tokens_used], ['idle', null, 'Hello', 720]);
        assert.equal(itemOf(thread, 'words').text, 'Good day!');
        const request = model.asked.at(-1);
        assert.equal(request?.said.at(-1)?.text, 'Hello\nto you');
        assert.ok(!request?.tools.some((name) => ['submit', 'propose', 'apply', 'plan_undo'].includes(name)), String(request?.tools));
      });

    test('from a wish to a draft with evidence: writes, edits, runs dry; a person hands it in', async () => {
      await setModel(app(), model);
      const called = (name: string, input: Record<string, unknown>) => ({ calls: [{ name, input }] });
      const replies = [
        {
          text: 'I look.',
          calls: [
            { name: 'search_api', input: { query: 'customer note' } },
            { name: 'write_draft', input: WRITTEN },
          ],
        },
        called('edit_draft', { old_text: "'seen'", new_text: "'thanked'" }),
        called('dry_run', { wait_seconds: 0 }),
        { text: 'It writes a note for each customer.' },
      ];
      let n = 0;
      model.play(async ({ said }) => {
        const reply = replies[n++];
        if (n === replies.length) {
          const text = said.at(-1)?.answers[0]?.text ?? '';
          const { id, task_id } = Tried.parse(JSON.parse(text.split('\n')[2] ?? ''));
          await runner.finish(task_id, id);
        }
        return reply ?? { error: 'broken' };
      });
      const thread = await ask(app().client, 'Thank every customer');
      assert.deepEqual([thread.state, thread.error], ['idle', null]);
      assert.deepEqual(
        thread.items.map(({ kind }) => kind),
        ['user', 'words', 'tool', 'tool', 'draft', 'tool', 'draft', 'tool', 'words', 'evidence'],
      );
      assert.match(thread.draft?.source_code ?? '', /'thanked'/);
      const [first, second] = itemsOf(thread, 'draft');
      assert.deepEqual([first?.before, second?.before, second?.by], [null, first?.after, 'assistant']);
      const evidence = itemOf(thread, 'evidence');
      assert.deepEqual(evidence.permissions_used, ['admin_api.customers.read', 'admin_api.customers.write']);
      assert.ok((evidence.changes_by_kind['customer_note'] ?? 0) > 0);
      assert.equal(itemsOf(thread, 'tool').at(-1)?.run?.run_id, evidence.dry_run.run_id);
      assert.equal(JSON.stringify(thread).includes(MODEL_KEY), false);
    });

    test('the editor sends its draft along; a step that the person takes back is told to the model', async () => {
      model.play(inOrder({ calls: [{ name: 'write_draft', input: WRITTEN }] }, { text: 'Done.' }, { text: 'I see.' }));
      const thread = await ask(app().client, 'Write');
      const draft = { source_code: 'export default async () => 7;', permissions: [], parameters: [] };
      await app().client.assistant.send_message(thread.id, { text: 'I took it back', draft });
      const next = await atRest(app().client, thread.id);
      assert.equal(next.draft?.source_code, draft.source_code);
      assert.deepEqual(
        itemsOf(next, 'draft').map(({ by }) => by),
        ['assistant', 'person'],
      );
      assert.match(model.asked.at(-1)?.said.at(-1)?.text ?? '', /I took it back[\s\S]*is no instruction[\s\S]*async \(\) => 7;/);
    });

    test('wrong calls get errors that say what to do: unknown tools, submit, no JSON, wrong values, a passage that stands twice', async () => {
      model.play(
        inOrder(
          {
            calls: [
              { name: 'submit', input: {} },
              { name: 'propose', input: {} },
              { name: 'write_draft', input: '{"source_code": "ex' },
            ],
          },
          {
            calls: [
              { name: 'write_draft', input: { source_code: 'aa', permissions: ['admin_api.settings.write'] } },
              { name: 'edit_draft', input: { old_text: 'a', new_text: 'b' } },
            ],
          },
          {
            calls: [
              { name: 'write_draft', input: { source_code: 'aa' } },
              { name: 'edit_draft', input: { old_text: 'a', new_text: 'b' } },
            ],
          },
          { text: 'I give up.' },
        ),
      );
      const tools = itemsOf(await ask(app().client, 'Go'), 'tool');
      assert.deepEqual(
        tools.map(({ is_error }) => is_error),
        [true, true, true, true, true, false, true],
      );
      assert.match(tools[0]?.answer ?? '', /There is no tool "submit". There are: search_api/);
      assert.match(tools[2]?.answer ?? '', /no JSON object/);
      assert.equal(tools[2]?.written, '{"source_code": "ex');
      assert.match(tools[3]?.answer ?? '', /\/permissions\/0: "admin_api.settings.write" can never be granted to a task/);
      assert.match(tools[4]?.answer ?? '', /no draft yet/);
      assert.match(tools[6]?.answer ?? '', /stands 2 times/);
    });

    test('ends at 25 calls and after three equal failures, and says what is missing', async () => {
      model.play(({ said }) =>
        /Call no tool any more/.test(said.at(-1)?.text ?? '')
          ? { text: 'The stock is missing.' }
          : { calls: [{ name: 'runs', input: { limit: 1 } }] },
      );
      const endless = await ask(app().client, 'Loop');
      assert.equal(itemsOf(endless, 'tool').length, 25);
      assert.deepEqual(
        [itemOf(endless, 'notice').code, endless.state, itemsOf(endless, 'words').at(-1)?.text],
        ['calls_spent', 'idle', 'The stock is missing.'],
      );
      model.play(({ said }) =>
        /Call no tool any more/.test(said.at(-1)?.text ?? '')
          ? { text: 'I lack it.' }
          : { calls: [{ name: 'tasks', input: { task_id: 999_999 } }] },
      );
      const stuck = await ask(app().client, 'Fail');
      assert.equal(itemsOf(stuck, 'tool').length, 3);
      assert.deepEqual([itemOf(stuck, 'notice').code, stuck.state], ['repeated', 'idle']);
    });

    test('a service that breaks off fails the thread, and a retry goes on without saying things twice', async () => {
      model.play(inOrder({ text: 'It begins well and', breaks: 'cut' }, { text: 'Whole.' }));
      const failed = await ask(app().client, 'Speak');
      assert.equal(failed.state, 'failed');
      assert.match(failed.error ?? '', /no whole answer/);
      await app().client.assistant.retry(failed.id);
      const whole = await atRest(app().client, failed.id);
      assert.deepEqual([whole.state, itemsOf(whole, 'words').at(-1)?.text], ['idle', 'Whole.']);
      assert.equal(JSON.stringify(model.asked.at(-1)?.said).includes('It begins well'), false);
    });

    test('a busy service is asked again, at most three times; a refused key is told without the key', async () => {
      model.play(inOrder({ error: 'busy', retryAfter: 0 }, { text: 'Now.' }));
      assert.equal((await ask(app().client, 'Wait')).state, 'idle');
      await setModel(app(), model, { api_key: 'sk-wrong-key-of-the-tests' });
      const refused = await ask(app().client, 'Hello');
      assert.match(refused.error ?? '', /refuses the account/);
      assert.doesNotMatch(JSON.stringify(refused), /sk-wrong-key/);
      assert.equal(refused.tokens_used, 0);
      await setModel(app(), model);
    });

    test('a conversation that is too long is shortened, with a notice, and then ends saying so', async () => {
      const long = { source_code: `// ${'x'.repeat(5000)}`, permissions: [] };
      let seen = 0;
      model.play(({ said }) => {
        seen += 1;
        if (seen <= 4) return { calls: [{ name: 'call', input: { operation: 'task_examples.list' } }] };
        return /shortened: call the tool again/.test(JSON.stringify(said)) ? { text: 'Short enough.' } : { error: 'too_long' };
      });
      const thread = await ask(app().client, `Read ${long.source_code}`);
      assert.deepEqual([itemOf(thread, 'notice').code, thread.state], ['shortened', 'idle']);
      model.play(() => ({ error: 'too_long' }));
      const ended = await ask(app().client, 'More', thread.id);
      assert.deepEqual([itemsOf(ended, 'notice').at(-1)?.code, ended.state], ['too_long', 'failed']);
    });

    test('check tells of the draft what the editor tells, and the evidence says whether the types are right', async () => {
      const wrong = {
        source_code: 'export default async () => { const n: number = "seven"; return n; };',
        permissions: [],
        parameters: [],
      };
      model.play(
        inOrder(
          {
            calls: [
              { name: 'write_draft', input: wrong },
              { name: 'check', input: {} },
            ],
          },
          { text: 'It is wrong.' },
        ),
      );
      const tools = itemsOf(await ask(app().client, 'Check'), 'tool');
      assert.match(tools.at(-1)?.answer ?? '', /is not assignable to type 'number'/);
    });

    test('the key of the provider is in no line of the log', () => {
      assert.ok(logged.length > 0);
      assert.ok(!logged.some((line) => line.includes(MODEL_KEY) || line.includes('sk-wrong-key')));
    });
  },
  { log },
);
