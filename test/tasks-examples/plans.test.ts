import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../contract/run-events.ts';
import type { ExamplePlan } from '../../contract/task-examples.ts';
import { exampleNames, loadExample } from '../../ops/example-tasks.ts';
import type { FinishedRun } from '../helpers/run-task.ts';
import { receiveAt } from '../helpers/stored-rows/passed-time.ts';
import { AS_OF, daysBefore, inSampleShop } from './example-shop.ts';

/** What the gallery shows of each example is what a dry run on the sample shop would change. */

const PLANS = fileURLToPath(new URL('../../tasks-examples/plans.json', import.meta.url));
const CHANGES_MAX = 4;
const ITEMS_MAX = 3;
const TEXT_MAX = 160;
/** Where the sample shop has little for an example in the days of its defaults. */
const MORE: Record<string, JsonObject> = {
  'abandoned-cart-mail': { not_after_days: 60 },
  'check-addresses': { days: 60 },
  'hold-risky-orders': { amount: 60 },
  'tag-large-orders': { amount: 60 },
  'subscription-ending-mail': { days: 120 },
};
/** What is made of the real clock is another value in each run; the others say nothing to a reader. */
const LEFT_OUT = /_at$|^valid_to$|^(?:version|size_bytes|sort_order|public_id)$/;

inSampleShop('sqlite', 400, (shop) => {
  const orderOfShopify = {
    ...{ id: 450789469, name: '#1001', email: 'bob@example.com', currency: 'EUR', total_price: '56.46', financial_status: 'paid' },
    customer: { first_name: 'Bob', last_name: 'Norman' },
  };

  async function parametersOf(name: string): Promise<JsonObject> {
    const { client } = shop().app;
    const given: JsonObject = {
      as_of: AS_OF,
      to: 'owner@localhost',
      year: 2026,
      ends_on: '2026-07-05',
      search: 'filter coffee',
      amount: 60,
    };
    const variants = (await client.products.list({ per_page: 20, sort: 'created_at' })).data.flatMap((product) => product.variants);
    const counted = variants.filter(({ track_stock }) => track_stock).slice(0, 3);
    if (name === 'import-stock-counts') {
      const content = counted.map(({ sku, stock }) => `${sku};${stock + 1}`).join('\n');
      given['counts'] = (await client.files.create({ file: { filename: 'counts.csv', content, content_type: 'text/csv' } })).id;
    } else given['counts'] = Object.fromEntries(counted.map(({ sku, stock }) => [sku, stock + 2]));
    given['sent'] = { body: { ...orderOfShopify, line_items: [{ sku: counted[0]?.sku ?? '', quantity: 1, title: 'Coffee' }] } };
    const { parameters } = await loadExample(name);
    return {
      ...Object.fromEntries(parameters.flatMap(({ name: key }) => (given[key] === undefined ? [] : [[key, given[key]]]))),
      ...MORE[name],
    };
  }

  /** What the sample shop has none of: inquiries that wait, an address that lacks something, a product that is sold out. */
  async function addOccasions(): Promise<void> {
    const { app, store } = shop();
    // Links in mails must not name the port of this server.
    await app.client.settings.update({ public_url: 'https://shop.example.com' });
    for (const [n, subject] of ['Where is my parcel?', 'Does it fit?', 'An invoice, please'].entries()) {
      const from = { name: `Customer ${n + 1}`, email: `c${n + 1}@example.com` };
      const { id } = await app.client.inquiries.create({ ...from, subject, body: 'Please tell me.' });
      await receiveAt(store, id, `2026-06-2${n + 4}T09:00:00.000Z`);
    }
    const { data } = await app.client.orders.list({ status: 'processing', created_from: daysBefore(50), internal_status_id: 'none' });
    for (const { id } of data.slice(0, 2)) {
      const address = { line1: 'Nowhere Lane', line2: '', city: 'Berlin', state: '', postal_code: '12', country: 'DE' };
      await app.client.orders.edit(id, { shipping_address: address });
    }
    const [product] = (await app.client.products.list({ status: 'active', search: 'House espresso' })).data;
    for (const { id, stock } of product?.variants ?? []) await app.client.products.change_stock(id, { stock: 0, expected_stock: stock });
  }

  test('the plan of each example is that of a dry run on the sample shop', async (t) => {
    const { app, runs } = shop();
    await addOccasions();
    const plans: Record<string, ExamplePlan> = {};
    for (const name of await exampleNames()) {
      const run = await runs.run(name, { parameters: await parametersOf(name), dryRun: true, answers: { enter: true } });
      assert.equal(run.run.status, 'success', `${name}: ${run.run.error_message}`);
      const files = await app.client.ai_tasks.list_artifacts(run.taskId, run.run.id);
      plans[name] = planOf(
        run,
        files.map((file) => file.name),
      );
    }
    const empty = Object.entries(plans).flatMap(([name, { writes, results }]) => (writes + results.length === 0 ? [name] : []));
    assert.deepEqual(empty, []);
    t.assert.fileSnapshot(plans, PLANS, { serializers: [(value) => `${JSON.stringify(value, null, 2)}\n`] });
  });
});

function planOf({ effects, events }: FinishedRun, files: string[]): ExamplePlan {
  const changes = effects.map(({ resource, changes: fields }) => ({ type: resource.type, fields: fieldsOf(fields) }));
  // Of like changes the pages of the picture show one: which of them comes first is chance, because scripts write several at once.
  const like = Map.groupBy(changes, ({ type, fields }) => [type, ...fields.map(({ name }) => name)].join());
  const groups = [...like.values()].map((group) => mergedChange(group));
  const results = events.flatMap((event) => (event.kind === 'result' ? [event] : []));
  return {
    writes: effects.length,
    changes: groups.toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)).slice(0, CHANGES_MAX),
    results: [...Map.groupBy(results, ({ status }) => status)].toSorted().map(([status, list]) => ({
      status,
      count: list.length,
      items: list
        .map(({ item }) => item)
        .toSorted()
        .slice(0, ITEMS_MAX),
    })),
    files,
  };
}

type Change = Omit<ExamplePlan['changes'][number], 'count'>;

function fieldsOf(changes: FinishedRun['effects'][number]['changes']): Change['fields'] {
  return Object.entries(changes).flatMap(([name, values]) => {
    const [before, after] = values.map(shown);
    const isTold = !LEFT_OUT.test(name) && !(before === null && after === null);
    return isTold ? [{ name, before, after, varies: false }] : [];
  });
}

/** The change whose values are the most frequent ones. */
function mergedChange(group: readonly Change[]): Change & { count: number } {
  const same = [...Map.groupBy(group, (change) => JSON.stringify(change))].toSorted(
    ([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1),
  );
  const { type = '', fields = [] } = same[0]?.[1][0] ?? {};
  const isOther = (n: number): boolean => new Set(group.map((one) => JSON.stringify(one.fields[n]))).size > 1;
  return { count: group.length, type, fields: fields.map((field, n) => ({ ...field, varies: isOther(n) })) };
}

const shown = (value: unknown) => JSON.parse(JSON.stringify(value, (_key, one) => cut(one)) ?? 'null');

/** Ids that a dry run gives, times of the real clock, and codes made at random are others in each run. */
function cut(value: unknown): unknown {
  if (typeof value === 'number' && value > 1e15) return '…';
  if (typeof value !== 'string') return value;
  const text = value.replaceAll(/\d{4}-\d\d-\d\dT[\d:.-]+Z(?:-\d+)?/g, '…').replaceAll(/(FIRST-\d+-)\w{8}/g, '$1…');
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text;
}
