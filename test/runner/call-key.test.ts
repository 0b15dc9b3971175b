import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Json } from '../../contract/run-events.ts';
import { callFingerprint, canonicalJson, createEpochKeys, epochSeed } from '../../runner/call-key.ts';

const parsed = (text: string): Json => Json.parse(JSON.parse(text));

test('canonical JSON sorts keys at every depth and otherwise writes what JSON writes', () => {
  assert.equal(canonicalJson({ b: 1, a: [{ d: null, c: 'ä"' }] }), '{"a":[{"c":"ä\\"","d":null}],"b":1}');
});

test('canonical JSON keeps the value and does not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = parsed(text);
      const canonical = canonicalJson(value);
      assert.deepEqual(JSON.parse(canonical), JSON.parse(text));
      assert.equal(canonicalJson(parsed(canonical)), canonical);
      if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
        assert.equal(canonicalJson(Object.fromEntries(Object.entries(value).reverse())), canonical);
      }
    }),
  );
});

test('a value that is nested too deeply is refused and crashes nothing', () => {
  let value: Json = 0;
  for (let depth = 0; depth < 100_000; depth += 1) value = [value];
  assert.throws(() => canonicalJson(value), RangeError);
});

test('the fingerprint of a call depends on method, path, query and body', () => {
  const calls: [string, string, Json | undefined][] = [
    ['GET', '/orders', undefined],
    ['GET', '/orders?page=2', undefined],
    ['POST', '/orders', undefined],
    ['POST', '/orders', null],
    ['POST', '/orders', {}],
    ['POST', '/orders', { a: 1 }],
  ];
  const fingerprints = calls.map(([method, path, body]) => callFingerprint(method, path, body));
  assert.equal(new Set(fingerprints).size, calls.length);
  for (const fingerprint of fingerprints) assert.match(fingerprint, /^[0-9a-f]{64}$/);
  assert.equal(callFingerprint('POST', '/x', { a: 1, b: 2 }), callFingerprint('POST', '/x', { b: 2, a: 1 }));
});

test('an occurrence number counts identical calls within one epoch', () => {
  const keys = createEpochKeys(3);
  assert.deepEqual([keys.next('aa'), keys.next('aa'), keys.next('bb'), keys.next('aa')], ['3/aa/0', '3/aa/1', '3/bb/0', '3/aa/2']);
  assert.equal(createEpochKeys(4).next('aa'), '4/aa/0');
});

test('each epoch has its own seed, which is always the same', () => {
  assert.match(epochSeed('secret', 0), /^[0-9a-f]{64}$/);
  assert.equal(epochSeed('secret', 1), epochSeed('secret', 1));
  assert.notEqual(epochSeed('secret', 0), epochSeed('secret', 1));
});
