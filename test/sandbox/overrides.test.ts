import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

/** Each case must give what a plain engine gives, whose prototypes are not frozen. */
const assignments: Array<[name: string, code: string, expected: unknown]> = [
  ['promise.then', 'const p: any = Promise.resolve(1); p.then = () => 5; value = [p.then(), Object.keys(p)]', [5, ['then']]],
  ['promise.constructor', 'const p: any = Promise.resolve(1); p.constructor = Array; value = p.constructor === Array', true],
  ['arr.keys', 'const a: any = [1]; a.keys = "k"; value = [a.keys, Object.keys(a)]', ['k', ['0', 'keys']]],
  [
    'this.get in a subclass of Map',
    'class Own extends Map { constructor() { super(); (this as any).get = () => "own" } } value = new Own().get(1)',
    'own',
  ],
  ['a field in a subclass of Map', 'class Own extends Map { get = () => "own" } value = new Own([[1, 2]]).get()', 'own'],
  [
    'what inherits from Array.prototype',
    `function List(this: any) { this.length = 0; }
     List.prototype = Object.create(Array.prototype);
     List.prototype.constructor = List;
     List.prototype.push = function (x: unknown) { return Array.prototype.push.call(this, x, x); };
     List.prototype[Symbol.iterator] = function* () { yield 'own'; };
     const list = new (List as any)(); list.push(7);
     value = [list.length, list[1], [...list], list.constructor === List]`,
    [2, 7, ['own'], true],
  ],
  [
    'extends as older compilers write it',
    'class Later {} function Middle(this: any) { this.constructor = Later } Middle.prototype = Promise.prototype; value = new (Middle as any)().constructor === Later',
    true,
  ],
  ['statics of a subclass', 'class Own extends Array {} (Own as any).from = () => 3; value = (Own as any).from()', 3],
  [
    'fields of an error',
    'const e: any = new Error("x"); e.message = "m"; e.name = "n"; value = [String(e)]; e.toString = () => "s"; value.push(String(e))',
    ['n: m', 's'],
  ],
  [
    'errors without classes',
    'function Own(this: any) { this.message = "m" } Own.prototype = Object.create(Error.prototype); Own.prototype.name = "Own"; value = String(new (Own as any)())',
    'Own: m',
  ],
  ['call and bind of a function', 'const f: any = () => 1; f.call = () => 2; f.bind = 3; value = [f.call(), f.bind]', [2, 3]],
  [
    'looking at a descriptor, as get-intrinsic does',
    'const { get } = Object.getOwnPropertyDescriptor(WeakMap.prototype, "get")!; value = [(get as any).originalValue === WeakMap.prototype.get]; try { (get as any).originalValue = 1 } catch (e: any) { value.push(e.name) }',
    [true, 'TypeError'],
  ],
  ['an iterator', 'const i: any = [1].values(); i.next = () => ({ done: true }); value = [...i]', []],
  ['a view', 'const u: any = new Uint8Array(1); u.set = () => 4; value = u.set()', 4],
  [
    'by super',
    'class Own { set() { (super.toString as any) = 4 } } const o: any = new Own(); o.set(); value = Object.hasOwn(o, "toString")',
    true,
  ],
  ['an abort signal', 'const s: any = new AbortController().signal; s.addEventListener = 1; value = s.addEventListener', 1],
  ['Temporal', 'const d: any = Temporal.PlainDate.from("2024-01-01"); d.add = 1; value = d.add', 1],
  [
    'a property that is there keeps its kind',
    'const o: any = Object.defineProperty(new Map(), "get", { value: 1, writable: true, configurable: true }); o.get = 2; value = [o.get, Object.keys(o)]',
    [2, []],
  ],
];
test('an assignment makes an own property of the object, even if its frozen prototype has one with that name', async () => {
  const parts = assignments.map(([, code]) => `() => { let value: any; ${code}; return value }`);
  const { done, result } = await runScript(`const all: Array<() => any> = [${parts.join(',\n')}];
    export default () => all.map((make) => { try { return make() } catch (error) { return String(error) } })`);
  assert.equal(done.error_message, null);
  assert.ok(Array.isArray(result));
  assert.deepEqual(
    assignments.map(([name], i) => [name, result[i]]),
    assignments.map(([name, , expected]) => [name, expected]),
  );
});

const refused: Array<[name: string, code: string]> = [
  ['a prototype itself', 'Array.prototype.push = stolen'],
  ['a static', 'Object.keys = stolen'],
  ['the setter on its prototype', 'setter(Array.prototype, "push").call(Array.prototype, stolen)'],
  ['the setter on another prototype', 'setter(Map.prototype, "get").call(Promise.prototype, stolen)'],
  ['the setter on a proxy of its prototype', 'setter(Map.prototype, "get").call(new Proxy(Map.prototype, {}), stolen)'],
  ['the setter on a primitive', 'setter(Object.prototype, "toString").call(5, stolen)'],
  ['the setter on what is frozen', 'setter(Object.prototype, "toString").call(admin_api, stolen)'],
  [
    'the setter on a property that is read-only',
    'Reflect.set(Map.prototype, "get", stolen, Object.defineProperty({}, "get", { value: 1, configurable: true }))',
  ],
  [
    'the setter on an accessor',
    'Reflect.set(Map.prototype, "get", stolen, Object.defineProperty({}, "get", { get: () => 1, configurable: true }))',
  ],
  ['another accessor', 'Object.defineProperty(Array.prototype, "push", { get: () => stolen })'],
  ['an element of Array.prototype', '(Array.prototype as any)[0] = stolen'],
  ['what typed arrays have in common', 'Object.getPrototypeOf(Uint8Array.prototype).set = stolen'],
  ['what async iterators have in common', 'Object.getPrototypeOf(Object.getPrototypeOf((async function* () {}).prototype)).next = stolen'],
];
test('neither an assignment nor a setter taken from a shared prototype changes the prototype', async () => {
  const { done, result, logs } = await runScript(
    `
    const stolen: any = () => log('stolen');
    const setter = (object: object, key: string): any => Object.getOwnPropertyDescriptor(object, key)!.set;
    const attempts: Array<() => any> = [${refused.map(([, code]) => `() => { ${code} }`).join(',\n')}];
    const outcomes = attempts.map((attempt) => { try { attempt(); return 'done' } catch (error) { return (error as Error).name } });
    (Array.prototype as any).length = 2 ** 32 - 1;
    log([1, [2]].flat().concat([3]).map((x) => x), new Map([[1, 2]]).get(1), await once('a', () => 1));
    export default () => outcomes;`,
    { respond: () => ({ value: '{"stored":true,"value":1}' }) },
  );
  assert.equal(done.error_message, null);
  assert.deepEqual(logs, ['[1, 2, 3] 2 1']);
  assert.ok(Array.isArray(result));
  assert.deepEqual(
    refused.map(([name], i) => [name, result[i]]),
    refused.map(([name]) => [name, 'TypeError']),
  );
});

test('all objects that scripts share with the prelude are frozen, and their getters give nothing of the host', async () => {
  const { result } = await runScript(`
    const open: string[] = [];
    const seen = new Set<unknown>();
    const walk = (value: any, path: string): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
      seen.add(value);
      if (path.endsWith('.prototype') && !Object.isSealed(value)) open.push(path);
      if (value.versions || typeof value.applyIgnored === 'function') open.push('host: ' + path);
      for (const key of Reflect.ownKeys(value)) {
        const { get, set, value: held } = Object.getOwnPropertyDescriptor(value, key)!;
        walk(get, path + '.get ' + String(key));
        walk(set, path + '.set ' + String(key));
        walk(held, path + '.' + String(key));
        try { walk(get?.call(value), path + '.' + String(key)); } catch {}
      }
      walk(Object.getPrototypeOf(value), path + '.__proto__');
    };
    for (const name of Reflect.ownKeys(globalThis)) if (!/^(URL|atob|btoa|AdminApiError|PermissionError)/.test(String(name))) walk((globalThis as any)[name], String(name));
    export default () => [open.filter((path) => /^[A-Z]\\w*\\.prototype$|^host/.test(path)), seen.size > 1000];`);
  assert.deepEqual(result, [[], true]);
});
