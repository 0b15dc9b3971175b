import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const cases: Array<[name: string, expression: string, expected: unknown]> = [
  ['URL', "new URL('../b?x=1#h', 'https://bücher.example:8080/a/c').href", 'https://xn--bcher-kva.example:8080/b?x=1#h'],
  ['URL refuses', "(() => { try { new URL('nope') } catch (e: any) { return e.name } })()", 'TypeError'],
  ['URLSearchParams', "[...new URLSearchParams('a=1&b=%20x&a=2')].flat()", ['a', '1', 'b', ' x', 'a', '2']],
  ['TextEncoder', "[...new TextEncoder().encode('aé€😀\\ud800')]", [97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 239, 191, 189]],
  [
    'TextDecoder',
    'new TextDecoder().decode(new Uint8Array([239, 187, 191, 97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 255, 195]))',
    'aé€😀\ufffd\ufffd',
  ],
  [
    'TextDecoder streaming',
    '(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172])) })()',
    '€',
  ],
  [
    'TextDecoder fatal',
    "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e: any) { return e.name } })()",
    'TypeError',
  ],
  ['atob and btoa', "[btoa('hällo'), atob('aORsbG8=')]", ['aORsbG8=', 'hällo']],
  [
    'structuredClone',
    '(() => { const a: any = { d: new Date(5), m: new Map([[1, new Set([2])]]) }; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b, b.d.getTime(), b.m.get(1).has(2)] })()',
    [true, true, 5, true],
  ],
  [
    'AbortController',
    "(() => { const c = new AbortController(); let seen = 0; c.signal.addEventListener('abort', () => { seen++ }); c.abort(); c.abort(); return [seen, c.signal.aborted, (c.signal.reason as Error).name, AbortSignal.any([c.signal]).aborted] })()",
    [1, true, 'AbortError', true],
  ],
];
for (const [name, expression, expected] of cases) {
  test(`${name} works`, async () => {
    const { done, result } = await runScript(`const value: unknown = ${expression};\nexport default () => value`);
    assert.equal(done.error_message, null);
    assert.deepEqual(result, expected);
  });
}

test('core-js leaves nothing on the global object', async () => {
  const { result } = await runScript(
    'new URL("http://x"); structuredClone({}); export default () => Reflect.ownKeys(globalThis).map(String).filter((name) => /core|prelude|realGlobal|__/.test(name))',
  );
  assert.deepEqual(result, []);
});
