import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/run-events.ts';
import type { SettingsPatch } from '../../contract/settings.ts';
import { asksOutside, exampleNames, loadExample } from '../../ops/example-tasks.ts';
import { dayIn } from '../../server/values/dates.ts';
import { makeOrder } from '../helpers/builders.ts';
import type { FinishedRun } from '../helpers/run-task.ts';
import { inSampleShop } from './example-shop.ts';

/** Every example in shops whose currency has no decimals, or three, and whose day is far from UTC's. */

/** With 23 % of tax: an order of 1999, and one of 5. */
type Words = { paid: string; unpaid: string };
const shops: [SettingsPatch, Words][] = [
  [
    { currency: 'JPY', locale: 'ja', timezone: 'Pacific/Auckland' },
    { paid: '￥2,459', unpaid: '￥6' },
  ],
  [
    { currency: 'KWD', timezone: 'America/Los_Angeles' },
    { paid: 'KWD 2.459', unpaid: 'KWD 0.006' },
  ],
];

for (const [settings, words] of shops) inSampleShop('sqlite', 0, (shop) => tests(shop, settings.timezone ?? '', words), settings);

function tests(shop: Parameters<Parameters<typeof inSampleShop>[2]>[0], timezone: string, words: Words): void {
  const plusDays = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

  async function runOf(name: string, made: string): Promise<FinishedRun> {
    const { app, runs } = shop();
    const example = await loadExample(name);
    const file = { filename: 'counts.csv', content: 'nowhere;1\n', content_type: 'text/csv' };
    const later: Record<string, number> = { 'weekly-report': 7, 'welcome-note': 1 };
    const given: JsonObject = { to: 'owner@localhost', as_of: plusDays(made, later[name] ?? 10), year: Number(made.slice(0, 4)) };
    if (name === 'import-stock-counts') given['counts'] = (await app.client.files.create({ file })).id;
    const parameters = Object.fromEntries(
      example.parameters.flatMap(({ name: key }) => (given[key] === undefined ? [] : [[key, given[key]]])),
    );
    const run = await runs.run(name, { parameters, dryRun: asksOutside(example), answers: { enter: true } });
    assert.equal(run.run.status, 'success', `${name}: ${run.run.error_message}`);
    return run;
  }

  test('every example ends well, and tells amounts as the shop writes them', async () => {
    const { app } = shop();
    const { id } = await makeOrder({ client: app.client }, { payment_status: 'paid', total: 1999 });
    const unpaid = await makeOrder({ client: app.client }, { payment_status: 'pending', total: 5 });
    const { created_at } = await app.client.orders.get(id);
    const made = dayIn(created_at, timezone);
    const ran = new Map<string, FinishedRun>();
    for (const name of await exampleNames()) ran.set(name, await runOf(name, made));

    const detailsOf = (name: string) => ran.get(name)?.events.flatMap((event) => (event.kind === 'result' ? [event.details] : []));
    const linesOf = (name: string) => ran.get(name)?.events.flatMap((event) => (event.kind === 'log' ? [event.line] : []));
    assert.deepEqual(detailsOf('cancel-unpaid-orders'), [{ order_id: unpaid.id, total: words.unpaid, ordered: made }]);
    assert.deepEqual(detailsOf('revenue-by-country'), [{ orders: 1, revenue: words.paid }]);
    assert.deepEqual(linesOf('revenue-by-country'), [`${made.slice(0, 4)}: 1 paid orders to 1 countries, ${words.paid}`]);
    const mail = JSON.stringify(ran.get('weekly-report')?.effects);
    assert.match(mail, new RegExp(`Paid: ${words.paid.replace('.', '\\.')}\\\\n`));
  });
}
