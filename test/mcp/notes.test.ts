import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import { openStore, type Store } from '../../server/db/open.ts';
import type { Caller } from '../../server/mcp/caller.ts';
import { createMcp } from '../../server/mcp/server.ts';
import type { LogLine } from '../../server/resources/audit/domain.ts';
import { LogLines } from '../../server/resources/audit/log-lines.ts';
import { connectAgent } from '../helpers/agents.ts';
import { startApp } from '../helpers/app.ts';
import { createDatabase, engines } from '../helpers/stores.ts';

const Answer = z.object({
  result: z.object({ isError: z.boolean().optional(), structuredContent: z.object({ untrusted_data: z.unknown() }) }),
});

test('MC6: what a tool did is answered where its line of the log cannot be stored', async () => {
  const logged: string[] = [];
  const caller: Caller = {
    seesPersonalData: false,
    permissions: new Set(['admin_api.ai_tasks.write']),
    request: async () => ({ id: 7 }),
    untilEnded: async () => undefined,
    pageOf: async (path: string) => path,
    note: () => Promise.reject(new Error('the disk is full')),
    log: pino({}, { write: (line: string) => logged.push(line) }),
  };
  const submit = { task_id: 7, source_code: 'export default 1;', permissions: [], note: 'a number' };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'submit', arguments: submit } };
  const answer = await (await createMcp())(request, body, caller);
  const { result } = Answer.parse(await answer.json());
  assert.deepEqual([result.isError ?? false, result.structuredContent.untrusted_data], [false, { id: 7 }]);
  assert.match(logged.join(''), /the disk is full/);
});

for (const engine of engines)
  test(`MC6: what waits to be noted is stored when the server stops (${engine})`, async (t) => {
    const database = await createDatabase(engine);
    t.after(() => database.drop());
    const app = await startApp(engine, { databaseUrl: database.url });
    const agent = await connectAgent(app, { permissions: ['admin_api.orders.read'] });
    const calls = ['orders.list', 'customers.list', 'orders.list'];
    for (const operation of calls) await agent.tool('call', { operation });
    await agent.client.close();
    await app.close();
    const store = openStore({ url: database.url });
    t.after(() => store.close());
    const lines = await store.reader
      .selectFrom('log_entries')
      .select(['action', 'status'])
      .where('source', '=', 'mcp')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      lines.map(({ action, status }) => `${action} ${status}`),
      ['mcp.call success', 'mcp.call error', 'mcp.call success'],
    );
  });

test('MC6: lines that a busy store refuses are stored later, in their order; one that no store takes holds up none', async () => {
  const app = await startApp('sqlite');
  const told: unknown[] = [];
  const faults: Error[] = [];
  const store: Pick<Store, 'write'> = {
    write: async (work) => {
      const fault = faults.shift();
      if (fault) throw fault;
      return app.store.write(work);
    },
  };
  const lines = new LogLines(store, pino({}, { write: (line: string) => told.push(JSON.parse(line)) }));
  const line = (summary: string): LogLine => ({ source: 'mcp', action: 'mcp.call', status: 'success', summary, detail: {} });
  const stored = async () => (await app.client.logs.list({ source: 'mcp' })).logs.map(({ summary }) => summary).toReversed();
  try {
    faults.push(Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }));
    lines.later(line('one'));
    await assert.rejects(lines.now(line('two')), /busy/);
    await lines.now(line('three'));
    assert.deepEqual(await stored(), ['one', 'two', 'three']);
    faults.push(new Error('no such line'));
    await assert.rejects(lines.now(line('four')), /no such line/);
    await lines.now(line('five'));
    assert.deepEqual(await stored(), ['one', 'two', 'three', 'five']);
    assert.deepEqual(
      told.map((one) => z.object({ lines: z.number() }).parse(one).lines),
      [1],
    );
  } finally {
    await lines.close();
    await app.close();
  }
});
