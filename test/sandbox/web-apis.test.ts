import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { format } from 'node:util';
import { runInThisContext } from 'node:vm';
import { scriptNames } from '../../contract/script-library.ts';
import { type RunOptions, runScript } from '../helpers/worker.ts';

/** What a script and Node give for the same expressions, each as text. */
async function bothGive(expressions: readonly string[], options?: RunOptions): Promise<{ script: unknown; node: unknown }> {
  const list = `[${expressions.map((expression) => `async () => (${expression})`).join(',\n')}]`;
  const told = `(async () => { const told = []; for (const use of ${list}) {
    try { told.push(await use()) } catch (error) { told.push(error instanceof TypeError ? 'TypeError' : 'throws ' + error.name) }
  } return JSON.parse(JSON.stringify(told)) })()`;
  const { done, result } = await runScript(`export default () => ${told}`, options);
  assert.equal(done.error_message, null);
  const node: unknown = await runInThisContext(told);
  const pairs = (values: unknown): unknown => (Array.isArray(values) ? values.map((value, i) => [expressions[i], value]) : values);
  return { script: pairs(result), node: pairs(node) };
}

const TEXTS = ['', 'a', 'x'.repeat(55), 'y'.repeat(64), 'é€😀'.repeat(100), 'z'.repeat(200_000)];
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];

test('digests and HMAC are those of Node, whatever the length of key and data', async () => {
  const { done, result } = await runScript(
    `const { texts, hashes } = parameters as { texts: string[]; hashes: string[] };
     const bytes = (text: string) => new TextEncoder().encode(text);
     const hex = (buffer: ArrayBuffer) => new Uint8Array(buffer).toHex();
     const all: string[] = [];
     for (const name of hashes as ('SHA-1' | 'SHA-256')[]) for (const text of texts) {
       all.push(hex(await crypto.subtle.digest(name, bytes(text))));
       const key = await crypto.subtle.importKey('raw', bytes('k' + text), { name: 'HMAC', hash: { name } }, false, ['sign', 'verify']);
       const signature = await crypto.subtle.sign('HMAC', key, bytes(text));
       all.push(hex(signature));
       if (!(await crypto.subtle.verify({ name: 'HMAC' }, key, signature, bytes(text)))) all.push('not verified');
       if (await crypto.subtle.verify({ name: 'HMAC' }, key, signature, bytes(text + '!'))) all.push('wrongly verified');
       if (await crypto.subtle.verify({ name: 'HMAC' }, key, signature.slice(1), bytes(text))) all.push('verified a part');
     }
     export default () => all`,
    { parameters: { texts: TEXTS, hashes: HASHES } },
  );
  assert.equal(done.error_message, null);
  const expected = HASHES.flatMap((name) => {
    const algorithm = name.replace('-', '').toLowerCase();
    return TEXTS.flatMap((text) => [
      createHash(algorithm).update(text).digest('hex'),
      createHmac(algorithm, `k${text}`).update(text).digest('hex'),
    ]);
  });
  assert.deepEqual(result, expected);
});

const KEY = `crypto.subtle.importKey('raw', new Uint8Array([1, 2]), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign'])`;
const CRYPTO = [
  `crypto.subtle.digest('MD5', new Uint8Array(1))`,
  `crypto.subtle.digest('sha-256', new Uint16Array([258, 3])).then((b) => [b instanceof ArrayBuffer, b.byteLength, new Uint8Array(b)[0]])`,
  `crypto.subtle.digest({ name: 'SHA-1' }, new Uint8Array([1, 2, 3, 4]).subarray(1, 3)).then((b) => new Uint8Array(b)[0])`,
  `crypto.subtle.digest('SHA-256', new DataView(new ArrayBuffer(9), 2, 3)).then((b) => new Uint8Array(b)[0])`,
  `crypto.subtle.digest('SHA-256', 'text')`,
  `crypto.subtle.digest('SHA-256')`,
  `${KEY}.then((k) => [k.type, k.extractable, k.algorithm, k.usages, k instanceof CryptoKey])`,
  `${KEY}.then((k) => crypto.subtle.verify('HMAC', k, new Uint8Array(32), new Uint8Array(1)))`,
  `${KEY}.then((k) => crypto.subtle.sign('RSA', k, new Uint8Array(1)))`,
  `crypto.subtle.sign('HMAC', {}, new Uint8Array(1))`,
  `crypto.subtle.sign('HMAC', Object.create(CryptoKey.prototype), new Uint8Array(1))`,
  `crypto.subtle.importKey('raw', new Uint8Array(1), { name: 'HMAC', hash: 'SHA-256' }, true, [])`,
  `crypto.subtle.importKey('raw', new Uint8Array(0), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign'])`,
  `crypto.subtle.importKey('jwk', { kty: 'oct', k: 'AQI' }, { name: 'HMAC', hash: 'SHA-512' }, true, ['sign']).then((k) => k.algorithm)`,
  `crypto.subtle.importKey('jwk', { kty: 'RSA' }, { name: 'HMAC', hash: 'SHA-512' }, true, ['sign'])`,
  `new CryptoKey()`,
];

test('wrong algorithms, keys and data are refused as Node refuses them', async () => {
  const { script, node } = await bothGive(CRYPTO);
  assert.deepEqual(script, node);
});

const H = `new Headers([['b', '1'], ['A', ' x \\t'], ['B', '2'], ['set-cookie', 'c=1'], ['Set-Cookie', 'd=2']])`;
const HEADERS = [
  `[...${H}]`,
  `[${H}.get('B'), ${H}.get('none'), ${H}.has('SET-COOKIE'), ${H}.get('set-cookie'), ${H}.getSetCookie(), [...${H}.keys()], [...${H}.values()]]`,
  `(() => { const h = ${H}; h.set('b', '9'); h.append('a', 'y'); h.delete('set-cookie'); return [...h] })()`,
  `(() => { const h = ${H}, seen = []; h.forEach(function (value, name, of) { seen.push(name, value, of === h, this.x) }, { x: 1 }); return seen })()`,
  `(() => { const h = new Headers({ a: '1', c: '3' }), seen = []; for (const [name] of h) { seen.push(name); if (name === 'a') h.set('b', '2') } return seen })()`,
  `[...new Headers(new Map([['x', 1], ['y', null]]))]`,
  `[...new Headers(new Headers({ a: 'b' }))]`,
  `[...new Headers()]`,
  `[...new Headers(undefined)]`,
  `String(new Headers())`,
  `new Headers('text')`,
  `new Headers([['a']])`,
  `new Headers([['a', 'b', 'c']])`,
  `new Headers({ 'a b': '1' })`,
  `new Headers({ '': '1' })`,
  `new Headers({ a: 'x\\ny' })`,
  `new Headers({ a: '€' })`,
  `[...new Headers({ a: 'é' })]`,
  `new Headers({ a: 'b' }).get('a b')`,
  `Headers.prototype.get.call({}, 'a')`,
  `Headers.prototype.get.call(new Proxy(new Headers(), {}), 'a')`,
  `Object.keys(new Headers({ a: 'b' }))`,
  `[...new Headers({ constructor: '2', tostring: '3' })]`,
];

test('Headers are those of Node', async () => {
  const { script, node } = await bothGive(HEADERS);
  assert.deepEqual(script, node);
});

/** Shows what JSON does not. */
const SHOW = `(value) => { const seen = []; const show = (v) => {
  if (typeof v !== 'object' || v === null) return typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0' : v === undefined ? 'undefined' : v;
  if (seen.includes(v)) return 'seen ' + seen.indexOf(v); seen.push(v);
  const kind = Object.prototype.toString.call(v) + (v.constructor ? v.constructor.name : '');
  const inner = v instanceof Map ? [...v].map(([a, b]) => [show(a), show(b)]) : v instanceof Set ? [...v].map(show) : v instanceof Date ? v.getTime()
    : v instanceof RegExp ? String(v) + v.lastIndex : v instanceof Error ? [v.name, v.message, v.cause === undefined ? 0 : show(v.cause), Object.hasOwn(v, 'cause')]
    : v instanceof ArrayBuffer ? [...new Uint8Array(v)] : v instanceof DataView ? [v.byteOffset, v.byteLength, show(v.buffer)] : ArrayBuffer.isView(v) ? [v.byteOffset, [...v].map(String), show(v.buffer)]
    : typeof v.valueOf() !== 'object' ? String(v.valueOf()) : 0;
  return [kind, inner, Array.isArray(v) ? v.length : 0, v instanceof Error || ArrayBuffer.isView(v) || v instanceof String ? 0 : Reflect.ownKeys(v).filter((k) => k !== 'length').map((k) => [String(k), show(v[k])])];
}; return show(value) }`;
const CLONED = [
  ...['1', '"a"', 'null', 'undefined', '5n', '-0', '[1, , 3]', 'Object.assign([1], { more: 2 })', '{ a: { b: [1] } }', 'new Date(NaN)'],
  ...[
    'new Map([[{ a: 1 }, new Set([new Map()])]])',
    'new Set([1, "a", new Date(5)])',
    '/a(b)/giu',
    'new TypeError("t", { cause: { a: 1 } })',
  ],
  ...['Object(1)', 'Object("text")', 'Object(true)', 'Object(2n)', 'new ArrayBuffer(3)', 'new Uint16Array([1, 2, 3]).subarray(1)'],
  ...[
    'new DataView(new ArrayBuffer(8), 2, 3)',
    'new BigInt64Array([1n])',
    'new Float64Array([NaN, -0])',
    'Object.create({ inherited: 1 }, {})',
  ],
  'JSON.parse(\'{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3}\')',
  '(() => { const o = { list: [], map: new Map() }; o.self = o; o.list.push(o.list); o.map.set(o, o.map); return o })()',
  '(() => { const buffer = new ArrayBuffer(4); return [new Uint8Array(buffer), new Uint16Array(buffer, 2), buffer] })()',
  '(() => { const m = new Map(); m.extra = 1; return m })()',
  '(() => { const shared = { a: 1 }; return new Map([[shared, shared], ["b", shared]]) })()',
  'new (class Point { x = 1; #y = 2; get z() { return 3 } })()',
  'new (class Named extends Map { constructor() { super([[1, 2]]) } })()',
  'Object.create(null, { a: { value: 1, enumerable: true }, b: { value: 2 } })',
  '{ get a() { return 5 }, [Symbol("s")]: 1 }',
  'Object.defineProperty(new Error("e"), "name", { value: "RangeError" })',
  '(() => { const e = new Error("e"); e.name = "Own"; return e })()',
];
const REFUSED = [
  ...[
    '() => 1',
    'Symbol("s")',
    '{ a: () => 1 }',
    'new WeakMap()',
    'new WeakSet()',
    'Promise.resolve(1)',
    '[Symbol.iterator]',
    'new Headers()',
  ],
  ...['Object(Symbol("s"))', 'new Proxy(new Map(), {})', '{ get a() { throw new RangeError("mine") } }', '(function* () {})()'],
  '(() => { const b = new ArrayBuffer(1); b.transfer(); return b })()',
];

test('structuredClone gives what Node gives: Maps and Sets of the language, shared parts once, nothing of a prototype', async () => {
  const { script, node } = await bothGive([
    ...CLONED.map((value) => `(${SHOW})(structuredClone(${value}))`),
    ...REFUSED.map((value) => `(${SHOW})(structuredClone(${value}))`),
    `(() => { const b = new ArrayBuffer(8), v = new Uint8Array(b, 2); v[0] = 7; const c = structuredClone({ v }, { transfer: [b] }); return [c.v.byteLength, c.v[0], b.byteLength, v.length] })()`,
    `structuredClone(1, { transfer: [{}] })`,
    `structuredClone()`,
    `[structuredClone(new Map([[1, 2]])) instanceof Map, structuredClone(new Set()) instanceof Set, {}.polluted]`,
  ]);
  assert.deepEqual(script, node);
  const { logs } = await runScript(
    'log(structuredClone(new Map([["a", new Set([1])]])), structuredClone(new DOMException("late", "TimeoutError")))',
  );
  assert.match(logs[0] ?? '', /^Map\(1\) \{ "a" => Set\(1\) \{ 1 \} \} TimeoutError: late/);
});

const FORMATS: Array<[values: string, ours?: string]> = [
  ['"%s is %d years, %i, %f%%", "Ann", "42", "7.9px", "1.50"'],
  ['"%s", "a", "b", { c: 1 }', 'a b { c: 1 }'],
  ['"100%", 5'],
  ['"100%"'],
  ['"%% of %s"'],
  ['"%%s %s", 1'],
  ['"%d %d %d %d", 5n, "x", {}, -0'],
  ['"%i %i %f %f", 5n, 1e21, "abc", Symbol("s")', '5n 1 NaN NaN'],
  ['"%s %s %s %s", null, undefined, 5n, Symbol("s")'],
  ['"%j", { a: [1, { b: 2 }] }'],
  ['"%j|%j", undefined, "text"'],
  ['"%c red", "color: red"'],
  ['"%x %", 1'],
  ['"%s %s", 1'],
  ['"%o %O", { a: 1 }, [1]', '{ a: 1 } [1]'],
  ['"%O", "text"', '"text"'],
  ['5, "%s", 6'],
  ['"%d", { valueOf() { throw 1 } }', 'NaN'],
  ['"%j", (() => { const o = {}; o.o = o; return o })()', '{ o: [Circular] }'],
];

test('console puts values into the places of its first text, as Node does; log does not', async () => {
  const { done, logs } = await runScript(FORMATS.map(([values]) => `console.log(${values});`).join('\n'));
  assert.equal(done.error_message, null);
  const expected = FORMATS.map(([values, ours]) => ours ?? format(...(runInThisContext(`[${values}]`) as unknown[])));
  assert.deepEqual(logs, expected);
  const others = await runScript(
    `log('%s', 1); console.error('%s', 1); console.assert(false, '%d apples', 3); console.assert(true, 'no');
     console.time('t'); await sleep(5); console.timeLog('t', 'so far'); console.timeEnd('t'); console.timeEnd('t');`,
    { respond: () => ({ value: 'null', now_ms: 1_700_000_000_005 }) },
  );
  assert.deepEqual(others.logs, ['%s 1', '1', 'Assertion failed 3 apples', 't: 5ms so far', 't: 5ms', 'there is no timer "t"']);
});

test('performance.now is the clock of the script: it stands still while a script computes, and is the same again', async () => {
  const source = `
    const start = performance.now(); let x = 0; for (let i = 0; i < 3e6; i++) x += i;
    const computed = performance.now() - start;
    await admin_api.get('/x');
    export default () => [start, new Event('x').timeStamp, computed, performance.now() - start, performance.timeOrigin + performance.now() - Date.now(), Number.isInteger(performance.now()),
      (() => { try { (performance as any).now = () => 5; } catch (error) { return (error as Error).name } })(), Object.isFrozen(performance), performance.toJSON()]`;
  const options = { nowMs: 1000, beganMs: 400, respond: () => ({ value: '{"status":200,"body":null}', now_ms: 1250.7 }) };
  const { result } = await runScript(source, options);
  assert.deepEqual(result, [600, 850, 0, 250, 0, true, 'TypeError', true, { timeOrigin: 400 }]);
  assert.deepEqual((await runScript(source, options)).result, result);
});

test('AbortSignal.timeout and any abort by the clock of the script, and a pending one is not told of', async () => {
  let now = 0;
  const { done, logs, result } = await runScript(
    `const late = AbortSignal.timeout(50), never = AbortSignal.timeout(1e12), stop = new AbortController();
     const any = AbortSignal.any([never, stop.signal, late]);
     const seen: unknown[] = [];
     any.addEventListener('abort', () => seen.push('any', any.reason === late.reason));
     late.onabort = (event) => seen.push(event.type);
     await new Promise<void>((done) => late.addEventListener('abort', () => done()));
     const reason = late.reason as DOMException;
     seen.push(reason.name, reason.code, reason instanceof DOMException, any.aborted, never.aborted, Date.now());
     stop.abort('again');
     seen.push(any.reason === late.reason, AbortSignal.any([]).aborted, AbortSignal.any([any, stop.signal]).reason === late.reason);
     for (const wrong of [() => AbortSignal.timeout(-1), () => AbortSignal.timeout(NaN), () => AbortSignal.timeout(Infinity), () => AbortSignal.any([{} as any]), () => AbortSignal.any(5 as any)])
       try { wrong(); seen.push('accepted') } catch (error) { seen.push((error as Error).name) }
     export default () => seen`,
    {
      nowMs: 0,
      respond: ({ payload }) => {
        const { ms } = payload as { ms: number };
        if (ms > 1000) return null;
        now += ms;
        return { value: 'null', now_ms: now };
      },
    },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(logs, []);
  const errors = Array.from({ length: 5 }, () => 'TypeError');
  assert.deepEqual(result, ['abort', 'any', true, 'TimeoutError', 23, true, true, false, 50, true, false, true, ...errors]);
});

test('http.request takes Headers, a Map and a list of pairs', async () => {
  const given = [
    'new Headers({ Accept: "a", "X-One": "1" })',
    'new Map([["Accept", "a"], ["x-one", "1"]])',
    '[["accept", "a"], ["x-one", "1"]]',
  ];
  for (const headers of given) {
    const { calls } = await runScript(
      `await http.request({ url: 'https://a.example/', headers: ${headers} as any });
       await http.request({ url: 'https://a.example/', method: 'POST', headers: ${headers} as any, body: { a: 1 } });`,
      { respond: () => ({ value: '{"status":200,"body":{}}' }) },
    );
    const sent = calls.map(({ text }) => JSON.parse(text).body.headers);
    const expected = { accept: 'a', 'x-one': '1' };
    assert.deepEqual(sent, [expected, { ...expected, 'content-type': 'application/json' }], headers);
  }
});

/** What a script has besides the language and the names of `backroom`. */
const WEB = [
  ...[
    'AbortController',
    'AbortSignal',
    'CryptoKey',
    'CustomEvent',
    'DOMException',
    'Event',
    'EventTarget',
    'Headers',
    'TextDecoder',
    'TextEncoder',
  ],
  ...['URL', 'URLSearchParams', 'atob', 'btoa', 'clearInterval', 'clearTimeout', 'console', 'crypto', 'fetch', 'global', 'performance'],
  ...['queueMicrotask', 'self', 'setInterval', 'setTimeout', 'structuredClone'],
];

test('a script has these globals besides the language, and no other', async () => {
  const { result } = await runScript('export default () => Reflect.ownKeys(globalThis).map(String)');
  assert.ok(Array.isArray(result));
  const language = new Set<unknown>(runInThisContext('Object.getOwnPropertyNames(globalThis)') as string[]);
  const ofLanguage = (name: unknown): boolean => language.has(name) && !WEB.includes(String(name));
  assert.deepEqual(result.filter((name) => !ofLanguage(name)).sort(), [...WEB, ...scriptNames].sort());
  const docs = readFileSync(new URL('../../docs/tasks.md', import.meta.url), 'utf8');
  assert.deepEqual(
    WEB.filter((name) => !docs.includes(`\`${name}`)),
    [],
    'the document for authors names each',
  );
  const { result: more } = await runScript(
    'export default () => [Object.keys(crypto), Object.keys(crypto.subtle), Object.keys(performance)].map((keys) => keys.sort())',
  );
  assert.deepEqual(more, [
    ['getRandomValues', 'randomUUID', 'subtle'],
    ['digest', 'importKey', 'sign', 'verify'],
    ['now', 'timeOrigin', 'toJSON'],
  ]);
});
