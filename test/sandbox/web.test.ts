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
  [
    'AbortSignal is an EventTarget',
    '(() => { const c = new AbortController(); const seen: unknown[] = []; c.signal.onabort = (e) => seen.push(e.type, e.target === c.signal); c.abort(); return [...seen, c.signal instanceof EventTarget] })()',
    ['abort', true, true],
  ],
  [
    'EventTarget',
    `(() => {
      const seen: unknown[] = [];
      class Door extends EventTarget { open() { return this.dispatchEvent(new Event('open', { cancelable: true })) } }
      const door = new Door(), stop = new AbortController();
      const first = function (this: unknown, e: Event) { seen.push('first', this === door, e.currentTarget === door, e.eventPhase) };
      door.addEventListener('open', first); door.addEventListener('open', first); door.addEventListener('open', null);
      door.addEventListener('open', { handleEvent: (e) => { seen.push('once'); e.preventDefault(); door.addEventListener('open', () => seen.push('late'), { once: true }) } }, { once: true });
      door.addEventListener('open', () => seen.push('until'), { signal: stop.signal });
      door.addEventListener('shut', () => seen.push('never'));
      seen.push(door.open()); stop.abort(); seen.push(door.open());
      door.removeEventListener('open', first);
      door.addEventListener('open', (e) => e.stopImmediatePropagation()); door.addEventListener('open', () => seen.push('stopped'));
      seen.push(door.open());
      return seen;
    })()`,
    ['first', true, true, 2, 'once', 'until', false, 'first', true, true, 2, 'late', true, true],
  ],
  [
    'DOMException',
    `(() => {
      class Late extends DOMException { constructor() { super('too late', 'TimeoutError') } }
      const stop = new AbortController(), late = new Late();
      stop.abort();
      return [late instanceof Error, late.name, late.message, late.code, String(late), stop.signal.reason instanceof DOMException, new DOMException('', '').code];
    })()`,
    [true, 'TimeoutError', 'too late', 23, 'TimeoutError: too late', true, 0],
  ],
  [
    'CustomEvent',
    "(() => { const seen: unknown[] = []; const t = new EventTarget(); t.addEventListener('a', (e) => seen.push((e as CustomEvent).detail)); t.dispatchEvent(new CustomEvent('a', { detail: 5 })); t.dispatchEvent(new CustomEvent('a')); return seen })()",
    [5, null],
  ],
  [
    'The names of the global object',
    '[self === globalThis, global === globalThis, Function.length, (() => { try { (self as any).self = 1 } catch (e: any) { return e.name } })()]',
    [true, true, 1, 'TypeError'],
  ],
];
for (const [name, expression, expected] of cases) {
  test(`${name} works`, async () => {
    const { done, result } = await runScript(`const value: unknown = ${expression};\nexport default () => value`);
    assert.equal(done.error_message, null);
    assert.deepEqual(result, expected);
  });
}

test('an error in a listener fails the run but does not stop other listeners', async () => {
  const { done, logs } = await runScript(`
    const t = new EventTarget();
    t.addEventListener('a', () => { throw new Error('in a listener'); });
    t.addEventListener('a', () => log('the other one'));
    t.dispatchEvent(new Event('a'));
    await sleep(1);
  `);
  assert.match(done.error_message ?? '', /in a listener/);
  assert.deepEqual(logs, ['the other one']);
});

test('core-js leaves nothing on the global object', async () => {
  const { result } = await runScript(
    'new URL("http://x"); structuredClone({}); export default () => Reflect.ownKeys(globalThis).map(String).filter((name) => /core|prelude|realGlobal|__/.test(name))',
  );
  assert.deepEqual(result, []);
});

const LAZY: Record<string, string> = {
  URL: "new URL('/b?c=%20&d=1', 'http://a').searchParams.get('d')",
  'URL.parse': "URL.parse('http://a/?d=1')?.searchParams.get('d')",
  URLSearchParams: "new URLSearchParams({ d: '1' }).get('d')",
  'URLSearchParams of a list': "new URLSearchParams([['d', '1']]).get('d')",
  structuredClone: "structuredClone({ d: ['1'] }).d[0]",
  'structuredClone of a Map': "structuredClone(new Map([['d', '1']])).get('d')",
  atob: "atob('MQ==')",
  btoa: "btoa('1') === 'MQ==' ? '1' : '0'",
  Intl: "new Intl.NumberFormat('en').format(1)",
  Temporal: 'String(Temporal.PlainDate.from("2024-01-01").day)',
};

test('each global works whichever of those that are made at their first use was used before', async () => {
  const wrong: string[] = [];
  for (const [first, use] of Object.entries(LAZY)) {
    const all = Object.entries(LAZY).map(([name, expression]) => `[${JSON.stringify(name)}, () => ${expression}]`);
    const { result } = await runScript(`
      ${use};
      const all: [string, () => unknown][] = [${all}];
      const told = (use: () => unknown): unknown => { try { return use() } catch (error) { return String(error) } };
      export default () => all.filter(([, use]) => told(use) !== '1').map(([name, use]) => name + ': ' + told(use))`);
    if (!Array.isArray(result) || result.length > 0) wrong.push(`${first}, then ${JSON.stringify(result)}`);
  }
  assert.deepEqual(wrong, []);
});
