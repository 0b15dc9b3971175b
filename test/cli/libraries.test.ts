import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleTask } from '../../cli/bundle.ts';
import { runScript } from '../helpers/worker.ts';

/** Libraries that people use in tasks. Each is bundled as a push does it, and must work in the real sandbox. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const FOLDER = join(ROOT, `node_modules/backroom-libraries-${process.pid}`);
after(() => rm(FOLDER, { recursive: true, force: true }));

const uses: Record<string, { source: string; gives: unknown }> = {
  lodash: {
    source: `
      import _ from 'lodash';
      const deep = _.cloneDeep({ at: new Map([[1, { a: [1] }]]), on: new Date(5) });
      export default () => [_.chunk([1, 2, 3], 2), _.groupBy([1.2, 1.8, 2.1], Math.floor), _.merge({ a: { b: 1 } }, { a: { c: 2 } }),
        deep.at.get(1).a, deep.on.getTime(), _.orderBy([{ n: 1 }, { n: 2 }], 'n', 'desc')[0].n, _.camelCase('Store credit'), _.now() > 0];`,
    gives: [[[1, 2], [3]], { 1: [1.2, 1.8], 2: [2.1] }, { a: { b: 1, c: 2 } }, [1], 5, 2, 'storeCredit', true],
  },
  immer: {
    source: `
      import { enableMapSet, produce } from 'immer';
      enableMapSet();
      const before = { lines: [{ n: 1 }], tags: new Set(['a']), by: new Map([['x', { n: 1 }]]) };
      const next = produce(before, (draft) => { draft.lines.push({ n: 2 }); draft.tags.add('b'); draft.by.get('x').n = 5; delete draft.lines[0].n; });
      let refused = ''; try { next.lines.push(1); } catch (error) { refused = error.name; }
      export default () => [before.lines.length, next.lines, [...next.tags], next.by.get('x').n, before.by.get('x').n, refused];`,
    gives: [1, [{}, { n: 2 }], ['a', 'b'], 5, 1, 'TypeError'],
  },
  mobx: {
    source: `
      import { autorun, makeAutoObservable, observable, runInAction } from 'mobx';
      class Cart { lines = []; constructor() { makeAutoObservable(this); } get total() { return this.lines.reduce((sum, n) => sum + n, 0); } add(n) { this.lines.push(n); } }
      const cart = new Cart(), seen = [], names = observable.map();
      autorun(() => seen.push(cart.total, names.size));
      cart.add(5); runInAction(() => { cart.add(1); names.set('a', 1); });
      export default () => [seen, cart.total];`,
    gives: [[0, 0, 5, 0, 6, 1], 6],
  },
  nanoid: {
    source: `
      import { customAlphabet, nanoid } from 'nanoid';
      export default () => [nanoid().length, nanoid() !== nanoid(), /^[ab]{8}$/.test(customAlphabet('ab', 8)())];`,
    gives: [21, true, true],
  },
  papaparse: {
    source: `
      import Papa from 'papaparse';
      const { data, errors, meta } = Papa.parse('sku;count\\n"a;1";5\\nb;7\\n', { header: true, dynamicTyping: true, skipEmptyLines: true });
      export default () => [data, errors, meta.delimiter, Papa.unparse([{ a: 'x,y', b: 1 }])];`,
    gives: [
      [
        { sku: 'a;1', count: 5 },
        { sku: 'b', count: 7 },
      ],
      [],
      ';',
      'a,b\r\n"x,y",1',
    ],
  },
  joi: {
    source: `
      import Joi from 'joi';
      const schema = Joi.object({ email: Joi.string().email().required(), count: Joi.number().integer().min(1) });
      export default () => [schema.validate({ email: 'ann@example.com', count: '5' }).value, schema.validate({ email: 'no', count: 0 }, { abortEarly: false }).error.details.map((one) => one.type)];`,
    gives: [{ email: 'ann@example.com', count: 5 }, ['string.email', 'number.min']],
  },
  'p-queue': {
    source: `
      import PQueue from 'p-queue';
      const queue = new PQueue({ concurrency: 2 });
      let now = 0, most = 0;
      const work = async (n) => { most = Math.max(most, ++now); await null; await null; now--; return n * 2; };
      const stop = new AbortController();
      const answers = await queue.addAll([1, 2, 3, 4].map((n) => () => work(n)));
      queue.pause();
      const left = queue.add(() => work(5), { signal: stop.signal }).catch((error) => error.name);
      stop.abort(); queue.start(); await queue.onIdle();
      export default async () => [answers, most, await left];`,
    gives: [[2, 4, 6, 8], 2, 'AbortError'],
  },
  'fast-check': {
    source: `
      import fc from 'fast-check';
      fc.assert(fc.property(fc.array(fc.integer()), (list) => [...list].sort((a, b) => a - b).length === list.length));
      const failed = fc.check(fc.property(fc.integer(), (n) => n < 100), { seed: 1 });
      await fc.assert(fc.asyncProperty(fc.string(), async (text) => (await Promise.resolve(text)) === text), { timeout: 100_000 });
      export default () => [failed.failed, failed.counterexample];`,
    gives: [true, [100]],
  },
};

for (const [name, { source, gives }] of Object.entries(uses)) {
  test(`${name} is bundled and works`, async () => {
    const { done, result } = await runScript(await bundled(name, source));
    assert.equal(done.error_message, null);
    assert.deepEqual(result, gives);
  });
}

async function bundled(name: string, text: string): Promise<string> {
  const path = join(FOLDER, `${name}.js`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return bundleTask({ folder: ROOT, file: relative(ROOT, path), text, pulled: new Set() });
}
