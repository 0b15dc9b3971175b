import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { TaskSource } from '../../contract/tasks.ts';
import { withoutAddresses } from '../../server/mcp/scrub.ts';
import { onBothStores } from '../helpers/app.ts';
import { ask, atRest, itemOf, itemsOf, setModel } from '../helpers/assistant.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { inOrder, type ModelServer, openModelServer, type Reply } from '../helpers/model-server.ts';

const DRAFT = {
  source_code: `const boss = "anna@shop.example.com";\nexport default () => mail.send({ to: [boss, 'bert@shop.example.com', 'x@stays.test'], text: parameters.to });`,
  permissions: ['mail_send'],
  mail_to: ['anna@shop.example.com', 'bert@shop.example.com'],
  parameters: [{ name: 'to', kind: 'string', default: 'carla@shop.example.com' }],
};
const WHOLE = /(anna|bert|carla)@shop/;
/** Nobody spells the name but as a part of an address. */
const NAMES = /anna|bert|carla|shop\.example\.com/i;
const Tried = z.object({ id: z.number(), task_id: z.number() });

onBothStores('AS3: e-mail addresses in drafts', (app) => {
  let model: ModelServer;
  let runner: InProcessRunner;
  before(async () => {
    model = await openModelServer();
    runner = openInProcessRunner(app());
    await setModel(app(), model);
  });
  after(async () => {
    await runner.close();
    await model.close();
  });

  const begin = async (seesPeople = false) => {
    const { id } = await app().client.assistant.create_thread({ sees_personal_data: seesPeople });
    await app().client.assistant.send_message(id, { text: 'Improve it', draft: DRAFT });
    return atRest(app().client, id);
  };
  const asked = async <T>(work: () => Promise<T>): Promise<[T, string]> => {
    const from = model.asked.length;
    const done = await work();
    return [
      done,
      model.asked
        .slice(from)
        .map(({ body }) => body)
        .join('\n'),
    ];
  };

  test('the model reads stand-ins, and what it writes gets the addresses back, wherever it puts them', async () => {
    const source_code = `export default () => mail.send({ to: ['hidden-2@example.invalid', "hidden-3@example.invalid", 'hidden-1@example.invalid'] });`;
    model.play(
      inOrder(
        { calls: [{ name: 'edit_draft', input: { old_text: "[boss, 'hidden-2@example.invalid', 'x@stays.test']", new_text: '[boss]' } }] },
        { calls: [{ name: 'write_draft', input: { source_code, mail_to: ['hidden-2@example.invalid'] } }] },
        { calls: [{ name: 'dry_run', input: { wait_seconds: 0 } }] },
        { text: 'Done.' },
      ),
    );
    const [thread, sent] = await asked(() => begin());
    assert.doesNotMatch(sent, WHOLE);
    assert.match(sent, /x@stays\.test/);
    const [, edited, written] = itemsOf(thread, 'draft');
    assert.match(edited?.after.source_code ?? '', /"anna@shop\.example\.com";\n.*to: \[boss\]/);
    assert.deepEqual(
      itemsOf(thread, 'tool').map(({ is_error }) => is_error),
      [false, false, false],
    );
    // Numbers are given where an address is seen first: in the source, then in what it declares.
    const [first, second, third] = /to: \[(.*)\]/.exec(written?.after.source_code ?? '')?.[1]?.split(', ') ?? [];
    assert.deepEqual([first, second, third], ["'bert@shop.example.com'", '"carla@shop.example.com"', "'anna@shop.example.com'"]);
    assert.deepEqual(thread.draft?.mail_to, ['bert@shop.example.com']);
    assert.deepEqual(thread.draft?.parameters, DRAFT.parameters);
    // Later, when the draft is shown again, they mean the same.
    model.play(inOrder({ calls: [{ name: 'write_draft', input: { mail_to: ['hidden-1@example.invalid'] } }] }, { text: 'Done.' }));
    const [next, again] = await asked(() => ask(app().client, 'To the boss instead', thread.id));
    assert.doesNotMatch(again, WHOLE);
    assert.deepEqual(next.draft?.mail_to, ['anna@shop.example.com']);
  });

  test('a stand-in of no address is refused, and the draft stays', async () => {
    const guesses = ['hidden-9@example.invalid', 'hidden@example.invalid'];
    model.play(
      inOrder(
        {
          calls: [
            ...guesses.map((one) => ({ name: 'write_draft', input: { mail_to: [one] } })),
            { name: 'edit_draft', input: { old_text: 'const boss', new_text: `'${guesses[1]}'` } },
          ],
        },
        { text: 'I ask.' },
      ),
    );
    const [thread, sent] = await asked(() => begin());
    for (const { is_error, answer } of itemsOf(thread, 'tool')) {
      assert.equal(is_error, true);
      assert.match(answer ?? '', /stands for no e-mail address of the draft/);
    }
    assert.equal(itemsOf(thread, 'tool').length, 3);
    assert.deepEqual(thread.draft?.mail_to, DRAFT.mail_to);
    assert.doesNotMatch(sent, WHOLE);
  });

  /** Plays these, and lets the run end that was started before the question with this number; then its log is read. */
  const playRun = (...replies: readonly Reply[]) => {
    let n = 0;
    let isRead = false;
    model.play(async ({ said }) => {
      const text = said.at(-1)?.answers.at(-1)?.text.split('\n')[2] ?? '';
      const started = Tried.safeParse(text.startsWith('{"id"') ? JSON.parse(text) : null);
      if (n++ < replies.length) return replies[n - 1] ?? { error: 'broken' };
      if (!started.success || isRead) return { text: 'Done.' };
      isRead = true;
      const { id: run_id, task_id } = started.data;
      await runner.finish(task_id, run_id);
      return { calls: ['log', 'effects', undefined].map((part) => ({ name: 'run', input: { task_id, run_id, ...(part && { part }) } })) };
    });
  };
  const call = (name: string, input: Record<string, unknown>): Reply => ({ calls: [{ name, input }] });
  const SPELT = `export default async () => {
  for (const one of ['hidden-1@example.invalid', 'hidden-2@example.invalid', parameters.to]) log('seen ' + one.replace('@', ' at '));
  await mail({ to: 'hidden-2@example.invalid', subject: 'Hi', text: 'hidden-1@example.invalid'.split('').join(' ') });
}`;

  test('a script of the model that spells an address otherwise learns stand-ins; the draft keeps the addresses', async () => {
    playRun(call('write_draft', { source_code: SPELT, mail_to: ['@shop.example.com'] }), call('dry_run', { wait_seconds: 0 }));
    const [thread, sent] = await asked(() => begin());
    assert.match(sent, /seen hidden-1 at example\.invalid/);
    assert.match(sent, /seen hidden-3 at example\.invalid/);
    assert.doesNotMatch(sent.replaceAll('"@shop.example.com"', '').replaceAll('\\"@shop.example.com\\"', ''), NAMES);
    assert.match(thread.draft?.source_code ?? '', /\['anna@shop\.example\.com', 'bert@shop/);
    assert.deepEqual(thread.draft?.mail_to, ['@shop.example.com']);
    // What ran is this draft with its stand-ins, and the evidence says so.
    const evidence = itemOf(thread, 'evidence');
    assert.deepEqual([evidence.has_stand_ins, evidence.changes_by_kind], [true, { mail: 1 }]);
    // The person's own dry run has the addresses.
    const { run_id, task_id } = await app().client.ai_tasks.try_draft({ draft: TaskSource.parse(thread.draft), parameters: {} });
    await runner.finish(task_id, run_id);
    const { log } = await app().client.ai_tasks.get_run(task_id, run_id);
    assert.match(log, /seen anna at shop\.example\.com/);
  });

  test('an edit changes what the model reads, and never a part of a stand-in', async () => {
    const edits = [
      { old_text: '@', new_text: ' AT ' },
      { old_text: 'anna', new_text: 'it is anna' },
      { old_text: 'shop.example', new_text: 'it is there' },
      { old_text: '@example', new_text: ' AT example' },
      { old_text: '"hidden-1', new_text: '"x' },
      { old_text: '"hidden-1@example.invalid"', new_text: '"xhidden-1@example.invalid"' },
    ];
    const source_code = 'const boss = "anna@shop.example.com";\nexport default () => boss;';
    model.play(inOrder({ calls: edits.map((input) => ({ name: 'edit_draft', input })) }, { text: 'Hm.' }));
    const { id } = await app().client.assistant.create_thread({});
    const [thread, sent] = await asked(async () => {
      await app().client.assistant.send_message(id, { text: 'Go', draft: { source_code, permissions: [], parameters: [] } });
      return atRest(app().client, id);
    });
    assert.deepEqual(
      itemsOf(thread, 'tool').map(({ is_error }) => is_error),
      edits.map(() => true),
    );
    assert.equal(thread.draft?.source_code, source_code);
    assert.doesNotMatch(sent, /anna (AT|at)|anna@/);
    playRun(
      call('edit_draft', { old_text: 'boss;', new_text: "[boss, 'zoe@new.example.org'];" }),
      call('edit_draft', { old_text: '() =>', new_text: 'async () =>' }),
    );
    const next = await ask(app().client, 'Again', id);
    assert.equal(
      next.draft?.source_code,
      'const boss = "anna@shop.example.com";\nexport default async () => [boss, \'zoe@new.example.org\'];',
    );
  });

  test('what a check finds is told in stand-ins', async () => {
    playRun(
      call('edit_draft', { old_text: 'export default', new_text: "const x: 'hidden-2@example.invalid' = boss;\nexport default" }),
      call('check', {}),
    );
    const [thread, sent] = await asked(() => begin());
    assert.match(itemsOf(thread, 'tool').at(-1)?.answer ?? '', /hidden-1@example\.invalid.*hidden-2@example\.invalid/);
    assert.doesNotMatch(sent, WHOLE);
  });

  test('a version that a person handed in of such a draft is not run by the model', async () => {
    const { task_id, version_id } = await app().client.ai_tasks.create({ name: 'Spells', description: '', ...TaskSource.parse(DRAFT) });
    const { id } = await app().client.assistant.create_thread({ task_id });
    model.play(inOrder({ calls: [{ name: 'dry_run', input: { version_id, wait_seconds: 0 } }] }, { text: 'Hm.' }));
    const thread = await ask(app().client, 'Run it', id);
    const tool = itemOf(thread, 'tool');
    assert.deepEqual([tool.is_error, tool.run], [true, null]);
    assert.match(tool.answer ?? '', /ask the person to run this version dry/);
  });

  test('a thread that may see personal data reads and writes them as they are', async () => {
    model.play(inOrder({ calls: [{ name: 'write_draft', input: { mail_to: ['hidden-1@example.invalid'] } }] }, { text: 'Done.' }));
    const [thread, sent] = await asked(() => begin(true));
    assert.match(sent, /anna@shop\.example\.com/);
    assert.deepEqual(thread.draft?.mail_to, ['hidden-1@example.invalid']);
  });
});

test('MC4: an address is hidden also where it is the name of a field', () => {
  const hidden = withoutAddresses({ 'anna@shop.example.com': [{ 'of bert@shop.example.com': 'x@stays.test' }] });
  assert.deepEqual(hidden, { 'hidden@example.invalid': [{ 'of hidden@example.invalid': 'x@stays.test' }] });
});
