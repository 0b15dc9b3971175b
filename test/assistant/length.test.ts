import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { OWNER_TOKEN, onBothStores, startApp } from '../helpers/app.ts';
import { ask, atRest, itemOf, itemsOf, setModel } from '../helpers/assistant.ts';
import { inOrder, type ModelServer, openModelServer } from '../helpers/model-server.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { refused } from '../helpers/refused.ts';
import { createDatabase } from '../helpers/stores.ts';

/** Each write keeps the source three times: as it was asked, before and after. */
const long = (n: number) => ({ name: 'write_draft', input: { source_code: `// ${n} ${'x'.repeat(900_000)}`, permissions: [] } });

onBothStores('AS4: how long a thread may be', (app) => {
  let model: ModelServer;
  before(async () => {
    model = await openModelServer();
    await setModel(app(), model, { thread_tokens: 1e9, day_tokens: 1e9, admin_day_tokens: 1e9 });
  });
  after(() => model.close());

  const sizes = async (id: number) => {
    const { rows } = await sql<{ kept: number; real: number }>`
      SELECT t.size_bytes AS kept, CAST(sum(octet_length(i.data)) AS bigint) AS real
      FROM assistant_threads t JOIN assistant_items i ON i.thread_id = t.id WHERE t.id = ${id} GROUP BY t.size_bytes`.execute(
      app().store.reader,
    );
    return { kept: Number(rows[0]?.kept), real: Number(rows[0]?.real) };
  };

  test('a turn ends with a notice once the thread has more than 16 MiB; nothing more is said in it, and it can still be read', async () => {
    let n = 0;
    model.play(() => ({ calls: [long(n++), long(n++), long(n++)] }));
    const thread = await ask(app().client, 'Write it again and again');
    assert.deepEqual([thread.state, itemOf(thread, 'notice').code], ['failed', 'too_long']);
    assert.match(thread.error ?? '', /more than 16 MiB.*Begin a new one/);
    const { kept, real } = await sizes(thread.id);
    assert.equal(kept, real);
    assert.ok(kept > 16 * 1024 * 1024 && kept < 20 * 1024 * 1024, `${kept} bytes`);
    await refused(app().client.assistant.send_message(thread.id, { text: 'More' }), 409, 'thread_too_long');
    await refused(app().client.assistant.retry(thread.id), 409, 'thread_too_long');
    const stop = new AbortController();
    const answer = await fetch(`${app().url}/admin/api/assistant/threads/${thread.id}/events`, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
      signal: stop.signal,
    });
    let text = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (chunk.endsWith('\n\n') && text.includes('event: state')) break;
    }
    stop.abort();
    const ids = [...text.matchAll(/^data: \{"id":(\d+)/gm)].map(([, id]) => Number(id));
    assert.deepEqual(
      ids.slice(0, -1).sort((a, b) => a - b),
      thread.items.map(({ id }) => id),
    );
    assert.equal(text.match(/event: state/g)?.length, 1);
  });

  test('what grows is counted once', async () => {
    model.play(
      inOrder({ text: 'word '.repeat(2000), calls: [{ name: 'runs', input: { limit: 1 } }] }, { text: 'It begins', breaks: 'cut' }),
    );
    const { id } = await ask(app().client, 'Speak long');
    model.play(() => ({ text: 'End.' }));
    await app().client.assistant.retry(id);
    const thread = await atRest(app().client, id);
    assert.equal(itemsOf(thread, 'words').length, 3);
    const { kept, real } = await sizes(id);
    assert.equal(kept, real);
  });
});

test('AS4: no statement scans the threads or their items, or sorts items', async () => {
  const database = await createDatabase('sqlite');
  const app = await startApp('sqlite', { databaseUrl: database.url });
  const model = await openModelServer();
  const { seen, stop } = watchStatements(database.url);
  try {
    await setModel(app, model);
    model.play(inOrder({ text: 'I look.', calls: [{ name: 'runs', input: { limit: 1 } }] }, { text: 'Done.' }));
    const { id } = await ask(app.client, 'Look');
    const events = await fetch(`${app.url}/admin/api/assistant/threads/${id}/events`, {
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
    });
    const reader = events.body?.getReader();
    for (let text = ''; !text.includes('event: state'); ) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    await app.client.assistant.list_threads({});
    await app.client.assistant.delete_thread(id);
  } finally {
    stop();
    await model.close();
    await app.close();
  }
  const plans = openPlans(database.url);
  const own = [...new Set(seen)].filter(
    (text) => /assistant_(threads|items)/.test(text) && /^\s*(select|insert|update|delete)/i.test(text),
  );
  assert.ok(own.some((text) => /rev <= \+\?/.test(text)) && own.some((text) => /octet_length/.test(text)), own.join('\n'));
  const faults = own.flatMap((text) =>
    plans
      .planOf(text)
      .filter((step) => /^SCAN assistant(?!_threads USING COVERING INDEX assistant_threads_working$)|TEMP B-TREE/.test(step))
      .map((step) => `${step}: ${text}`),
  );
  plans.close();
  await database.drop();
  assert.deepEqual(faults, []);
});
