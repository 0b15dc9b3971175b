import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const server = new URL('../../server/', import.meta.url);
const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string): string => readFileSync(new URL(name, server), 'utf8');

test('a function that needs a handle and the dialect takes both as one, `At`', () => {
  const pair = /\(\s*(?:db|tx): Db,\s*(?:dialect|\{[^}]*\}): Dialect\b/;
  assert.deepEqual(
    files.filter((name) => pair.test(textOf(name))),
    [],
  );
});

test('a route calls its verb with the context first', () => {
  const routes = files.filter((name) => name.endsWith('routes.ts'));
  const calls = routes.flatMap((name) =>
    [...textOf(name).matchAll(/(?:read|write|upload)\(\(ctx[^=]*=> ([\w.]+\([^,)]*)/g)].map(([, call = '']) => call),
  );
  assert.ok(calls.length > 150);
  assert.deepEqual(
    calls.filter((call) => !call.endsWith('(ctx')),
    [],
  );
});
