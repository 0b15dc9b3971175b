import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const page = (data: unknown[], next_cursor: string | null) => ({ value: JSON.stringify({ status: 200, body: { data, next_cursor } }) });

test('the functions of `admin` build path, query and body from the contract', async () => {
  const { calls, result, done } = await runScript(
    `await admin.orders.list({ status: 'pending', search: 'a b&c' });
     await admin.orders.update_status(7, { status: 'shipped' } as any);
     export default () => admin.orders.get(7);`,
    { respond: () => ({ value: '{"status":200,"body":{"id":7}}' }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(
    calls.map(({ payload }) => payload),
    [
      { method: 'GET', path: '/orders?status=pending&search=a%20b%26c' },
      { method: 'PATCH', path: '/orders/7/status', body: { status: 'shipped' } },
      { method: 'GET', path: '/orders/7' },
    ],
  );
  assert.deepEqual(result, { id: 7 });
});

test('each gives the rows of every page', async () => {
  const { calls, result } = await runScript(
    'const ids: unknown[] = []; for await (const order of admin.orders.each({ status: "pending" })) ids.push(order.id); export default () => ids;',
    { respond: ({ text }) => (text.includes('cursor=b') ? page([{ id: 3 }], null) : page([{ id: 1 }, { id: 2 }], 'b')) },
  );
  assert.deepEqual(result, [1, 2, 3]);
  assert.deepEqual(
    calls.map(({ text }) => text),
    [
      '{"method":"GET","path":"/orders?per_page=100&status=pending"}',
      '{"method":"GET","path":"/orders?per_page=100&status=pending&cursor=b"}',
    ],
  );
});

test('each gives a row once where rows move, and the cursor for the next loop once it has begun', async () => {
  const { result } = await runScript(
    `const walk = async (query: object) => {
       const list = admin.orders.each(query);
       const ids: unknown[] = [list.changes_cursor];
       for await (const { id } of list) ids.push(id);
       return [...ids, list.changes_cursor];
     };
     export default async () => [await walk({ sort: '-total' }), await walk({ sort: '-created_at' }), await walk({ after: 'start' })];`,
    {
      respond: ({ text }) => {
        const data = text.includes('cursor=b') ? [{ id: 2 }, { id: 3 }] : [{ id: 1 }, { id: 2 }];
        const next_cursor = text.includes('cursor=b') ? null : 'b';
        const body = { data, next_cursor, ...(text.includes('after=') ? { changes_cursor: 'c' } : {}) };
        return { value: JSON.stringify({ status: 200, body }) };
      },
    },
  );
  assert.deepEqual(result, [
    [null, 1, 2, 3, null],
    [null, 1, 2, 2, 3, null],
    [null, 1, 2, 2, 3, 'c'],
  ]);
});

test('each begins on a given page, and fails clearly for a list that it cannot follow', async () => {
  const { calls, result } = await runScript(
    `const ids: unknown[] = []; for await (const { id } of admin.orders.each({ page: 4, per_page: 2 })) ids.push(id);
     let told = ''; try { for await (const _ of (admin.notifications as any).each()) ids.push('one page'); } catch (e: any) { told = e.message }
     export default () => [ids, told];`,
    {
      respond: ({ text }) =>
        text.includes('/notifications')
          ? { value: '{"status":200,"body":{"notifications":[1],"unread_count":1}}' }
          : text.includes('cursor=b')
            ? page([], null)
            : page([{ id: 7 }, { id: 8 }], 'b'),
    },
  );
  assert.deepEqual(result, [[7, 8], 'admin.notifications.list gives no next_cursor, so each cannot follow it: call list instead']);
  assert.match(calls[0]?.text ?? '', /per_page=2&page=4"/);
  assert.match(calls[1]?.text ?? '', /per_page=2&cursor=b"/);
});

test('a missing path parameter throws before anything is sent', async () => {
  const { done, calls } = await runScript('await (admin.orders as any).get()');
  assert.match(done.error_message ?? '', /^TypeError: admin\.orders\.get: argument 1 must be the id/);
  assert.deepEqual(calls, []);
});

const CATCH =
  'export default async () => { try { await admin_api.get("/orders/1") } catch (e: any) { return [e.name, e instanceof AdminApiError, e instanceof PermissionError, e.status, e.code, e.detail, e.errors, e.permission] } }';

test('a refusal is an AdminApiError with what the answer said', async () => {
  const { result } = await runScript(CATCH, {
    respond: () => ({
      error: {
        name: 'AdminApiError',
        message: 'GET /orders/1 answered 422 validation_failed: no',
        fields: { status: 422, code: 'validation_failed', detail: 'no', errors: [{ code: 'required' }] },
      },
    }),
  });
  assert.deepEqual(result, ['AdminApiError', true, false, 422, 'validation_failed', 'no', [{ code: 'required' }], null]);
});

test('a missing permission is a PermissionError that names it', async () => {
  const { result } = await runScript(CATCH, {
    respond: () => ({
      error: {
        name: 'PermissionError',
        message: 'GET /orders/1 needs the permission admin_api.orders.read',
        fields: { status: 403, code: 'forbidden', detail: 'no', errors: [], required_permission: 'admin_api.orders.read' },
      },
    }),
  });
  assert.deepEqual(result, ['PermissionError', true, true, 403, 'forbidden', 'no', [], 'admin_api.orders.read']);
});
