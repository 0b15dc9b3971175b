import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCodes } from '../../contract/errors.ts';
import { Grants } from '../../contract/grants.ts';
import { httpEndpoints } from '../../contract/http.ts';
import { checkUrl, isAllowed } from '../../contract/http-allow.ts';
import { Sign } from '../../contract/http-signing.ts';

/** What the documents say of refusals is what the contract says. */

const folder = new URL('../../docs/', import.meta.url);
const documents = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** The part of docs/tasks.md under a heading. */
function section(heading: string): string {
  const [, text = ''] = textOf('tasks.md').split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

test('each error code stands beside its own status', () => {
  const statuses: Record<string, readonly [number, string]> = errorCodes;
  const wrong = documents.flatMap((name) =>
    [...textOf(name).matchAll(/\b([45]\d\d)\s+`([a-z][a-z0-9_]+)`/g)].flatMap(([, status, code = '']) =>
      statuses[code]?.[0] === Number(status) ? [] : [`${name}: ${status} ${code}`],
    ),
  );
  assert.deepEqual(wrong, []);
});

test('what http.request may be refused with is told where it is described', () => {
  const told = section('Requests to other systems');
  const codes = new Set([...httpEndpoints['http.send'].refusals, ...httpEndpoints['http.fetch'].refusals]);
  // A runner repeats what is busy, and the sandbox throws before it sends too much.
  const untold = [...codes].filter((code) => code !== 'busy' && code !== 'body_too_large' && !told.includes(`\`${code}\``));
  assert.deepEqual(untold, []);
});

test('the addresses that are said to be refused are, whatever http_allow says; an escape in the query is accepted', () => {
  const [, said = ''] = /- \*\*Addresses\*\*([\s\S]*?)\n- \*\*/.exec(section('Requests to other systems')) ?? [];
  const addresses = [...said.matchAll(/`(https:[^`]*)`/g)].map(([, address = '']) => address);
  assert.equal(addresses.length, 11);
  for (const address of addresses) {
    assert.ok(checkUrl(address).problem, address);
    assert.equal(isAllowed(['GET https://api.example.com/*'], 'GET', address), false, address);
  }
  assert.equal(checkUrl('https://api.example.com/v1/a?b=%2F..%2e%5c').problem, undefined);
});

test('how the server signs requests is told with each scheme and each of its fields', () => {
  const told = section('Requests to other systems');
  const given = Sign.options.flatMap(({ shape }) => [shape.scheme.value, ...Object.keys(shape)]);
  assert.deepEqual(
    given.filter((name) => !told.includes(`\`${name}\``)),
    [],
  );
});

test('a version declares as many secrets as the document says', () => {
  const [, most] = /at most (\d+) secrets/.exec(section('Grants')) ?? [];
  const names = Array.from({ length: Number(most) }, (_, n) => `s${n}`);
  assert.equal(Grants.safeParse({ secrets: names }).success, true);
  assert.equal(Grants.safeParse({ secrets: [...names, 'more'] }).success, false);
});
