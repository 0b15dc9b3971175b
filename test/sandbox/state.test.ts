import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Responder, runScript } from '../helpers/worker.ts';

/** A shop with the state of task 7, the task of these scripts. `intrude` is called before each PUT. */
function stateDouble(intrude: (values: Map<string, [value: unknown, version: number]>) => void = () => undefined) {
  const values = new Map<string, [value: unknown, version: number]>();
  const refuse = (status: number, code: string) => ({
    error: { name: 'AdminApiError', message: code, fields: { status, code, detail: code, errors: [] } },
  });
  const respond: Responder = ({ payload }) => {
    const { method, path, body } = payload as { method: string; path: string; body?: { value: never; if_version?: number } };
    const key = /^\/ai-tasks\/7\/state\/([^?]+)/.exec(path)?.[1] ?? assert.fail(path);
    if (method === 'PUT') intrude(values);
    const [value, version] = values.get(key) ?? [undefined, 0];
    if (method === 'GET')
      return version === 0 ? refuse(404, 'not_found') : { value: JSON.stringify({ status: 200, body: { key, value, version } }) };
    if (body?.if_version !== undefined && body.if_version !== version) return refuse(409, 'state_stale');
    if (method === 'DELETE') return values.delete(key) ? { value: '{"status":204,"body":null}' } : refuse(404, 'not_found');
    values.set(key, [body?.value, version + 1]);
    return { value: JSON.stringify({ status: 200, body: { key, version: version + 1 } }) };
  };
  return { values, respond };
}

test('SF15: state sets, gets and deletes values of the run’s own task', async () => {
  const { respond } = stateDouble();
  const { result, done, calls } = await runScript(
    `export default async ({ state: same }: any) => [
       await state.get('a:b'), await state.entry('a:b'),
       await state.set('a:b', { n: 1 }), await state.get('a:b'), await state.entry('a:b'),
       await state.delete('a:b'), await state.delete('a:b'), same === state, Object.isFrozen(state),
     ];`,
    { respond },
  );
  assert.equal(done.error_message, null);
  const row = { key: 'a:b', version: 1 };
  assert.deepEqual(result, [null, null, row, { n: 1 }, { ...row, value: { n: 1 } }, true, false, true, true]);
  assert.deepEqual(calls[2]?.payload, { method: 'PUT', path: '/ai-tasks/7/state/a:b', body: { value: { n: 1 } } });
});

test('SF15: state.update calls its function again with the value that another run has set', async () => {
  let others = 2;
  const { respond } = stateDouble((values) => {
    if (others-- > 0) values.set('n', [10 * (others + 1), 5 - others]);
  });
  const { result, done } = await runScript(
    `export default async () => {
       const seen: unknown[] = [];
       const set = await state.update('n', (value: any) => { seen.push(value); return (value ?? 0) + 1; });
       return [set, seen];
     };`,
    { respond },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [11, [null, 20, 10]]);
});

test('SF15: updates of one key by one script come one after another; one that fails holds up no other', async () => {
  const { respond, values } = stateDouble();
  const { result, calls } = await runScript(
    `export default async () => Promise.all([
       state.update('n', (value: any) => (value ?? 0) + 1),
       state.update('n', () => { throw new Error('no'); }).catch((error: any) => error.message),
       state.update('n', (value: any) => value + 1),
       state.update('m', () => 'other'),
     ]);`,
    { respond },
  );
  assert.deepEqual(
    [result, values.get('n')],
    [
      [1, 'no', 2, 'other'],
      [2, 2],
    ],
  );
  assert.equal(calls.length, 7);
});

test('SF15: after 100 changes of others, state.update gives up with state_stale', async () => {
  const { respond } = stateDouble((values) => values.set('n', [0, (values.get('n')?.[1] ?? 10) + 1]));
  const { result, calls } = await runScript(
    `export default () => state.update('n', () => 1).catch((error: any) => [error.name, error.code]);`,
    { respond },
  );
  assert.deepEqual([result, calls.length], [['AdminApiError', 'state_stale'], 200]);
});

test('SF15: what no state can be throws before anything is sent', async () => {
  const { result, calls } = await runScript(
    `export default async () => {
       const told: string[] = [];
       for (const wrong of [
         () => state.get(''), () => state.get('a/b'), () => state.get('..'), () => state.set(5 as any, 1), () => state.get('a'.repeat(201)),
         () => state.set('a', undefined), () => state.set('a', () => 1), () => state.set('a', 'x'.repeat(65536)),
         () => state.set('a', 1, { if_version: 'x' as any }), () => state.update('a', 5 as any), () => state.list(5 as any),
       ]) await wrong().catch((error: any) => told.push(error.name + ': ' + error.message));
       return told;
     };`,
  );
  const KEY = 'TypeError: a key of the state must be 1 to 200 letters, digits and the characters . _ : - (but not . or ..)';
  assert.deepEqual(result, [
    ...Array.from({ length: 5 }, () => KEY),
    'TypeError: undefined is no value for the state: use null, or state.delete',
    "TypeError: a value of the state can't be written as JSON",
    'RangeError: a value of the state may have at most 65536 bytes as JSON',
    'TypeError: if_version must be a version of the value, a number',
    'TypeError: state.update takes a key and a function that makes the new value',
    'TypeError: the prefix must be a string',
  ]);
  assert.equal(calls.length, 0);
});
