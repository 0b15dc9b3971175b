import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const completion = { text: '{"ok":true}', json: { ok: true }, finish_reason: 'stop', usage: { prompt_tokens: 1, completion_tokens: 2 } };

test('SF11: llm.complete sends messages, schema and max_tokens, and returns the completion', async () => {
  const { calls, result, done } = await runScript(
    `export default async ({ llm: same }: any) => {
       const messages = [{ role: 'user' as const, content: 'Is it?' }];
       const answer = await llm.complete<{ ok: boolean }>({ messages, schema: { type: 'object' }, max_tokens: 9 });
       return [answer, answer.json.ok, same === llm, Object.isFrozen(llm)];
     };`,
    { respond: () => ({ value: JSON.stringify({ status: 200, body: completion }) }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [completion, true, true, true]);
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [
      {
        method: 'POST',
        path: '/llm/completions',
        body: { messages: [{ role: 'user', content: 'Is it?' }], schema: { type: 'object' }, max_tokens: 9 },
      },
    ],
  );
});

test('SF5, SF11: llm.complete throws a PermissionError that names llm if the permission is missing; a wrong request throws before it is sent', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
       const told: unknown[] = [];
       for (const request of [undefined, 'hello', { messages: [], max_tokens: 1 }] as any[]) {
         try { await llm.complete(request); } catch (e: any) { told.push([e.name, e.permission]); }
       }
       return told;
     };`,
    {
      respond: () => ({
        error: {
          name: 'PermissionError',
          message: 'POST /llm/completions needs the permission llm',
          fields: { status: 403, code: 'forbidden', detail: 'no', errors: [], required_permission: 'llm' },
        },
      }),
    },
  );
  assert.deepEqual(result, [
    ['TypeError', null],
    ['TypeError', null],
    ['PermissionError', 'llm'],
  ]);
  assert.equal(calls.length, 1);
});
