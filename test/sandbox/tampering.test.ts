import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const attempts: Array<[name: string, code: string]> = [
  ['JSON.stringify', 'JSON.stringify = () => "{}"'],
  ['JSON itself', '(globalThis as any).JSON = { stringify: () => "{}" }'],
  ['Promise.prototype.then', 'Promise.prototype.then = function () { return this }'],
  ['Array.prototype', 'Object.defineProperty(Array.prototype, "0", { set() { log("stolen") } })'],
  ['Object.prototype', '(Object.prototype as any).end_reason = "completed"'],
  ['Object.prototype setter', 'Object.defineProperty(Object.prototype, "error", { get() { log("stolen") } })'],
  ['Map.prototype.get', 'Map.prototype.get = () => log("stolen")'],
  ['String.prototype', 'String.prototype.indexOf = () => 0'],
  ['Symbol.iterator', 'Array.prototype[Symbol.iterator] = function* () {}'],
  ['iterators', 'Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true, value: undefined })'],
  ['Error.prepareStackTrace', '(Error as any).prepareStackTrace = (_: unknown, sites: unknown[]) => sites'],
  ['log', '(globalThis as any).log = () => {}'],
  ['admin_api', '(admin_api as any).get = () => {}'],
  ['Date', 'Date.now = () => 5'],
  ['EventTarget', 'EventTarget.prototype.dispatchEvent = () => false'],
  ['Event', 'Object.defineProperty(Event.prototype, "type", { value: "other" })'],
  ['the global object by another name', '(global as any).log = () => {}'],
  ['its other names', '(globalThis as any).self = {}'],
  ['async prototype', 'Object.getPrototypeOf(async () => {}).constructor = 1'],
];
for (const [name, code] of attempts) {
  test(`${name} cannot be replaced`, async () => {
    const { done, result, logs } = await runScript(
      `let refused = ''; try { ${code} } catch (error) { refused = (error as Error).name }
       const answer = await admin_api.get('/orders');
       export default () => ({ refused, answer, when: Date.now() });`,
      { respond: () => ({ value: '{"status":200,"body":{"data":[1]}}' }) },
    );
    assert.equal(done.end_reason, 'completed');
    assert.deepEqual(logs, []);
    assert.deepEqual(result, { refused: 'TypeError', answer: { status: 200, body: { data: [1] } }, when: 1_700_000_000_000 });
  });
}

test('the assignments of ordinary scripts work', async () => {
  const { done, result } = await runScript(`
    class Own extends Error { constructor(message: string) { super(message); this.name = 'Own'; this.message += '!'; } }
    class Refused extends AdminApiError { constructor() { super('no'); this.name = 'Refused'; } }
    const plain: any = {};
    plain.toString = () => 'plain'; plain.constructor = 5; plain.valueOf = () => 7; plain.hasOwnProperty = 1;
    function Old(this: any) {} Old.prototype.toString = () => 'old'; Old.prototype.constructor = Old;
    class List extends Array { toString() { return 'list'; } }
    const list = new List(); list.push(1); list.toString = () => 'changed';
    const copied = Object.assign({}, { toString: 1, constructor: 2, name: 'x' });
    const fn: any = () => 1; fn.toString = () => 'fn';
    (globalThis as any).mine = 1;
    export default () => [new Own('a').name, new Own('a').message, String(new Refused()), plain + '', String(plain), String(new (Old as any)()),
      String(list), copied, String(fn), (globalThis as any).mine, Object.keys(plain)];
  `);
  assert.equal(done.error_message, null);
  assert.deepEqual(result, [
    'Own',
    'a!',
    'Refused: no',
    '7',
    'plain',
    'old',
    'changed',
    { toString: 1, constructor: 2, name: 'x' },
    'fn',
    1,
    ['toString', 'constructor', 'valueOf', 'hasOwnProperty'],
  ]);
});
