import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withWorker } from '../helpers/worker.ts';

/** Looks at each global, at the prototype of each, and at what the language makes by itself: lists what a script could change of it. */
const LOOK = `
  const open = [];
  let looked = 0;
  const look = (value, path) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || value === globalThis) return;
    looked += 1;
    if (Object.isExtensible(value)) open.push(path + ' takes new properties');
    for (const key of Reflect.ownKeys(value)) {
      const { configurable, writable } = Reflect.getOwnPropertyDescriptor(value, key);
      if (configurable || writable) open.push(path + '.' + String(key) + ' can be replaced');
    }
  };
  const made = {
    function: function () {}, generator: Object.getPrototypeOf((function* () {})()), async: Object.getPrototypeOf((async function* () {})()), promise: Promise.resolve(), regexp: /a/,
    matches: 'a'.matchAll(/a/g), array: [], list: [].values(), text: 'a'[Symbol.iterator](), map: new Map().keys(), set: new Set().keys(),
    helper: [].values().map(String), wrapped: Iterator.from({ next() {} }), error: new AdminApiError(), bytes: new Uint8Array(1),
    date: new Date(), headers: new Headers(), subtle: { __proto__: crypto.subtle }, clock: { __proto__: performance }, instant: Temporal.Now.instant(), formats: new Intl.NumberFormat('en'),
  };
  export default () => {
    for (const key of Reflect.ownKeys(globalThis)) {
      const { configurable, writable } = Reflect.getOwnPropertyDescriptor(globalThis, key);
      if (configurable || writable) open.push('the global ' + String(key) + ' can be replaced');
      if (LAZY.has(key)) continue;
      look(globalThis[key], String(key));
      look(Object(globalThis[key]).prototype, String(key) + '.prototype');
    }
    for (const [name, value] of Object.entries(made)) {
      for (let at = Object.getPrototypeOf(value), depth = 1; at !== null; at = Object.getPrototypeOf(at), depth += 1)
        look(at, 'prototype ' + depth + ' of a ' + name);
    }
    return [looked, open];
  };
  const LAZY = new Set(['parameters', 'last_checkpoint', 'URL', 'URLSearchParams', 'atob', 'btoa']);`;

test('nothing of the language and of the prelude can be changed by a script', async () => {
  await withWorker(async (worker) => {
    const { done, result } = await worker.run(LOOK, { parameters: {}, checkpoint: {} });
    assert.equal(done.end_reason, 'completed', done.error_message ?? '');
    const [looked, open] = result as [number, string[]];
    assert.ok(looked > 150, `${looked} objects were looked at`);
    // Libraries set this limit to 0 for a moment. The length of Array.prototype cannot be fixed, because arrays inherit from it.
    assert.deepEqual(
      open,
      [
        'Error.stackTraceLimit can be replaced',
        ...['Array.prototype', 'prototype 1 of a array'].map((at) => `${at}.length can be replaced`),
      ].sort(),
    );
  });
});

test('a date becomes an instant, although V8 makes Temporal only where it is first used', async () => {
  await withWorker(async (worker) => {
    const { result } = await worker.run(
      `export default () => [new Date(0).toTemporalInstant().toString(), new Date(0).toTemporalInstant() instanceof Temporal.Instant]`,
    );
    assert.deepEqual(result, ['1970-01-01T00:00:00Z', true]);
  });
});
