import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withoutAddresses } from '../../server/mcp/scrub.ts';
import { onBothStores } from '../helpers/app.ts';
import { ask, atRest, itemsOf, setModel } from '../helpers/assistant.ts';
import { inOrder, type ModelServer, openModelServer } from '../helpers/model-server.ts';

const DRAFT = {
  source_code: `const boss = "anna@shop.example.com";\nexport default () => mail.send({ to: [boss, 'bert@shop.example.com', 'x@stays.test'], text: parameters.to });`,
  permissions: ['mail_send'],
  mail_to: ['anna@shop.example.com', 'bert@shop.example.com'],
  parameters: [{ name: 'to', kind: 'string', default: 'carla@shop.example.com' }],
};
const WHOLE = /(anna|bert|carla)@shop/;

onBothStores('AS3: e-mail addresses in drafts', (app) => {
  let model: ModelServer;
  before(async () => {
    model = await openModelServer();
    await setModel(app(), model);
  });
  after(() => model.close());

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
            { name: 'edit_draft', input: { old_text: 'boss', new_text: `'${guesses[1]}'` } },
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
