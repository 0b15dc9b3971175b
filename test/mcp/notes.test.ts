import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import type { Caller } from '../../server/mcp/caller.ts';
import { createMcp } from '../../server/mcp/server.ts';

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
    note: () => Promise.reject(new Error('the disk is full')),
    log: pino({}, { write: (line: string) => logged.push(line) }),
  };
  const submit = { task_id: 7, source_code: 'export default 1;', permissions: [], note: 'a number' };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'submit', arguments: submit } }),
  });
  const text = await (await (await createMcp())(request, caller)).text();
  const { result } = Answer.parse(JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? ''));
  assert.deepEqual([result.isError ?? false, result.structuredContent.untrusted_data], [false, { id: 7 }]);
  assert.match(logged.join(''), /the disk is full/);
});
