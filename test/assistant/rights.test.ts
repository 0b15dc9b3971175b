import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assistantEndpoints } from '../../contract/assistant.ts';
import { connectAgent } from '../helpers/agents.ts';
import { onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { ask, atRest, itemsOf, setModel } from '../helpers/assistant.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { inOrder, type ModelServer, openModelServer } from '../helpers/model-server.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

const WRITER = { permissions: ['admin_api.ai_tasks.write' as const, 'admin_api.customers.read' as const] };
const READS_CUSTOMERS = { calls: [{ name: 'call', input: { operation: 'customers.list' } }] };

onBothStores('AS1: who reaches a thread', (app) => {
  let model: ModelServer;
  before(async () => {
    model = await openModelServer();
    await setModel(app(), model);
    await makeCustomer(app(), { name: 'Known Karla' });
  });
  after(() => model.close());

  /** Every endpoint of one thread, as a request. */
  const endpoints = Object.values(assistantEndpoints).filter(({ path }) => path.includes('{id}'));
  const send = ({ method, path }: (typeof endpoints)[number], id: number, token: string) =>
    app().request({
      ...{ method, token, path: `/admin/api${path.replace('{id}', String(id))}` },
      ...(path.endsWith('/messages') && { body: { text: 'Hello' } }),
    });
  /** A thread that has read customers, of an admin who may. */
  async function talk() {
    const admin = await person(app(), WRITER);
    model.play(inOrder(READS_CUSTOMERS, { text: 'I have read them.' }));
    const thread = await ask(app().clientFor(admin.token), 'Who buys most?');
    assert.equal(itemsOf(thread, 'tool')[0]?.is_error, false);
    return { ...admin, id: thread.id };
  }
  const codes = async (id: number, token: string) =>
    Object.fromEntries(
      // Deleting comes last.
      await Promise.all(
        endpoints.filter(({ method }) => method !== 'DELETE').map(async (one) => [one.id, (await send(one, id, token)).status]),
      ),
    );

  test('another admin’s thread does not exist at any endpoint; agents, runners and strangers reach none', async () => {
    const { id } = await talk();
    const other = await person(app(), { role: 'owner' });
    const agent = await connectAgent(app(), { permissions: ['admin_api.ai_tasks.write'] });
    await agent.client.close();
    for (const [token, status] of [
      [other.token, 404],
      [agent.token, 403],
      [RUNNER_TOKEN, 403],
      ['no-token-at-all', 401],
    ] as const) {
      for (const one of endpoints) assert.equal((await send(one, id, token)).status, status, `${one.id} ${status}`);
    }
    for (const one of Object.values(assistantEndpoints).filter(({ path }) => !path.includes('{id}')))
      assert.equal(
        (await app().request({ method: one.method, path: `/admin/api${one.path}`, token: agent.token, body: {} })).status,
        403,
        one.id,
      );
    assert.deepEqual((await app().clientFor(other.token).assistant.list_threads({})).data, []);
  });

  test('what a thread has read is shown to no narrower token of its admin; it can be stopped and deleted', async () => {
    const { id, adminId } = await talk();
    const narrow =
      (await app().client.admins.create_token(adminId, { name: 'narrow', permissions: ['admin_api.ai_tasks.write'] })).token ?? '';
    const api = app().clientFor(narrow).assistant;
    assert.deepEqual(await codes(id, narrow), {
      'assistant.get_thread': 403,
      'assistant.send_message': 403,
      'assistant.stop': 200,
      'assistant.retry': 403,
      'assistant.events': 403,
    });
    const { text } = await app().request({ path: `/admin/api/assistant/threads/${id}`, token: narrow });
    assert.match(text, /Thread \d+ may tell what needs admin_api\.customers\.read, which you do not hold/);
    const [listed] = (await api.list_threads({})).data;
    assert.deepEqual([listed?.id, listed?.title, listed?.missing_permissions], [id, '', ['admin_api.customers.read']]);
    await api.delete_thread(id);
    assert.equal((await api.list_threads({})).total, 0);
  });

  test('a right that was taken closes the thread, also to retry and to the stream that is open; given back, it opens', async () => {
    const { id, adminId, token } = await talk();
    model.play(() => ({ text: 'It begins', breaks: 'cut' }));
    assert.equal((await ask(app().clientFor(token), 'More', id)).state, 'failed');
    const stream = await fetch(`${app().url}/admin/api/assistant/threads/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await app().client.admins.update(adminId, { permissions: ['admin_api.ai_tasks.write'] });
    await until('the stream does not end', async () => (await reader?.read())?.done === true);
    const asked = model.asked.length;
    await refused(app().clientFor(token).assistant.retry(id), 403, 'forbidden');
    assert.equal((await send(endpoints.find(({ id: name }) => name === 'assistant.events') ?? assert.fail(), id, token)).status, 403);
    assert.equal(model.asked.length, asked);
    await app().client.admins.update(adminId, WRITER);
    model.play(() => ({ text: 'On.' }));
    await app().clientFor(token).assistant.retry(id);
    assert.equal((await atRest(app().clientFor(token), id)).state, 'idle');
  });

  test('a wider token that goes on with a thread closes it to the narrower one, whose stream ends', async () => {
    const { token, adminId } = await person(app(), WRITER);
    const narrow =
      (await app().client.admins.create_token(adminId, { name: 'narrow', permissions: ['admin_api.ai_tasks.write'] })).token ?? '';
    model.play(() => ({ text: 'Hello' }));
    const { id } = await ask(app().clientFor(narrow), 'Hello');
    const stream = await fetch(`${app().url}/admin/api/assistant/threads/${id}/events`, { headers: { authorization: `Bearer ${narrow}` } });
    const seen = (async () => {
      let text = '';
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
      return text;
    })();
    model.play(inOrder(READS_CUSTOMERS, { text: 'Known Karla buys most.' }));
    await ask(app().clientFor(token), 'Who buys most?', id);
    assert.doesNotMatch(await seen, /Karla/);
    await refused(app().clientFor(narrow).assistant.get_thread(id), 403, 'forbidden');
  });

  test('a right that the token gains in the middle of a turn is not used in it', async () => {
    const { token, adminId } = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    const replies = inOrder(READS_CUSTOMERS, { text: 'No.' });
    model.play(async (request) => {
      await app().client.admins.update(adminId, WRITER);
      return replies(request);
    });
    const thread = await ask(app().clientFor(token), 'Who buys most?');
    assert.match(itemsOf(thread, 'tool')[0]?.answer ?? '', /^forbidden/);
  });
});
