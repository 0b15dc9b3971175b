import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('shared memory, WebAssembly and everything that shows garbage collection are removed', async () => {
  const { result } = await runScript(`
    const names = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'eval', 'setImmediate', 'XMLHttpRequest'];
    export default () => names.filter((name) => name in globalThis);
  `);
  assert.deepEqual(result, []);
});

test('a buffer cannot grow', async () => {
  const { result } = await runScript(`
    const buffer: any = new ArrayBuffer(8, { maxByteLength: 1024 } as any);
    const viaView: any = new (new Uint8Array(1).buffer.constructor as any)(8, { maxByteLength: 1024 });
    export default () => [buffer.byteLength, buffer.resize, buffer.resizable, viaView.resize, buffer instanceof ArrayBuffer, buffer.slice(2).byteLength];
  `);
  assert.deepEqual(result, [8, null, null, null, true, 6]);
});
