import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

test('nothing that a script can reach leads out of the isolate', async () => {
  const { done, result } = await runScript(`
    const found: string[] = [];
    const seen = new Set<unknown>();
    const walk = (value: any, path: string, depth: number): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return;
      seen.add(value);
      if (value.versions || (typeof value.applySync === 'function' && typeof value.applyIgnored === 'function')) found.push(path);
      for (const key of Reflect.ownKeys(value)) {
        const field = Object.getOwnPropertyDescriptor(value, key)!;
        walk(field.value ?? field.get, path + '.' + String(key), depth + 1);
      }
      walk(Object.getPrototypeOf(value), path + '.__proto__', depth + 1);
    };
    walk(globalThis, 'globalThis', 0);
    for (const thing of [admin, admin_api, log, console, URL, structuredClone, Temporal, Intl]) walk(thing, 'thing', 0);
    export default () => [found, typeof process, typeof require, typeof module, typeof setImmediate, typeof XMLHttpRequest, seen.size > 500];
  `);
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [[], 'undefined', 'undefined', 'undefined', 'undefined', 'undefined', true]);
});

test('the context that a default function gets contains only the names of backroom', async () => {
  const { result } = await runScript('export default (context) => Object.keys(context).sort()');
  assert.deepEqual(result, [
    'admin',
    'admin_api',
    'checkpoint',
    'describe',
    'details',
    'files',
    'http',
    'last_checkpoint',
    'llm',
    'log',
    'mail',
    'notify',
    'once',
    'parameters',
    'progress',
    'prompt',
    'result',
    'secret',
    'shop',
    'signal',
    'sleep',
    'state',
    'tasks',
    'variables',
    'waitFor',
  ]);
});
