import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('message and stack of an error name lines of the script and no frame of the host', async () => {
  const { done } = await runScript(
    'interface Unused {\n  a: string;\n}\nfunction deep(value: null | { x: number }) {\n  return value!.x;\n}\n\nexport default async function main(): Promise<void> {\n  await sleep(1);\n  deep(null);\n}\n',
  );
  assert.equal(done.end_reason, 'script_error');
  assert.equal(
    done.error_message,
    "TypeError: Cannot read properties of null (reading 'x')\n    at deep (task.ts:5:17)\n    at main (task.ts:10:3)",
  );
});

test('the error of a refused call names the line that awaits it', async () => {
  const { done } = await runScript("\n\nexport default async () => {\n  await admin_api.get('/orders/9');\n};\n", {
    respond: () => ({
      error: {
        name: 'AdminApiError',
        message: 'GET /orders/9 answered 404 not_found',
        fields: { status: 404, code: 'not_found', detail: '', errors: [] },
      },
    }),
  });
  assert.match(done.error_message ?? '', /^AdminApiError: GET \/orders\/9 answered 404 not_found\n.*task\.ts:4:3/);
});

test('an unhandled rejection fails the run', async () => {
  const { done } = await runScript(
    "async function later() {\n  throw new RangeError('nobody waits');\n}\nlater();\nawait sleep(1);\nexport default () => 'not reached';",
  );
  assert.equal(done.end_reason, 'script_error');
  assert.match(done.error_message ?? '', /^unhandled rejection: RangeError: nobody waits\n.*later \(task\.ts:2:9\)/);
});

test('a rejection that is handled later in the same turn does not fail the run', async () => {
  const { result } = await runScript(
    "const failing = Promise.reject(new Error('x')); export default async () => { try { await failing } catch { return 'handled' } }",
  );
  assert.equal(result, 'handled');
});

test('an error after the first await of the module fails the run', async () => {
  const { done } = await runScript("await sleep(1);\nthrow new Error('late');");
  assert.match(done.error_message ?? '', /^Error: late\n.*task\.ts:2:7/);
});

test('a syntax error is reported with line and column', async () => {
  const { done } = await runScript('const a = 1;\nconst b = ;\n');
  assert.match(done.error_message ?? '', /task\.ts:2:11/);
});

test('a script may set how many frames its errors have, but the reported error stays short', async () => {
  const { done, result } = await runScript(`
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    const none = new Error('none').stack;
    Error.stackTraceLimit = before;
    const some = new Error('some').stack!.includes('at ');
    Error.stackTraceLimit = Infinity;
    function deep(left: number): void { if (left === 0) throw new Error('deep'); deep(left - 1); }
    export default () => [before, none, some, Object.isFrozen(Error.prototype), (() => { try { deep(3000); } catch { return 'caught'; } })()];
  `);
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [20, 'Error: none', true, true, 'caught']);
  const thrown = await runScript(
    'Error.stackTraceLimit = Infinity; function deep(left: number): void { if (left === 0) throw new Error("deep"); deep(left - 1); } deep(3000);',
  );
  assert.match(thrown.done.error_message ?? '', /^Error: deep/);
  assert.ok((thrown.done.error_message ?? '').length < 20_000, `${thrown.done.error_message?.length}`);
});
