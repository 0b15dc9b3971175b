import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Row, runScripted, type ScriptedShop, scriptedOrder } from './scripted-shop.ts';

/** What the examples write of an amount, where the currency has no decimals, two or three. */

const yen = { currency: 'JPY', currency_exponent: 0, locale: 'ja' };
const dinar = { currency: 'KWD', currency_exponent: 3 };
const euro = { currency: 'EUR', currency_exponent: 2, locale: 'de-AT' };
/** A shop has set that it counts forints in hundredths. */
const forint = { currency: 'HUF', currency_exponent: 2 };

const orderIn = (shop: ScriptedShop, values: Row = {}): Row => scriptedOrder({ total: 1999, currency: shop.currency, ...values });

test('export-orders writes plain numbers of the currency', async () => {
  for (const [shop, amount] of [
    [yen, '1999'],
    [dinar, '1.999'],
    [euro, '19.99'],
    [forint, '19.99'],
  ] as const) {
    const { writes } = await runScripted('export-orders', { ...shop, rows: [orderIn(shop)] });
    const body = String(writes.find(({ path, body: { method } }) => path === '/http/send' && method === 'PUT')?.body['body']);
    assert.equal(body.trimEnd().split('\n')[1]?.split(',').at(-1), `"${amount}"`);
  }
});

test('fraud-score tells the amount with its currency', async () => {
  for (const [shop, total] of [
    [yen, '1999'],
    [dinar, '1.999'],
    [euro, '19.99'],
  ] as const) {
    const { writes } = await runScripted('fraud-score', { ...shop, rows: [orderIn(shop)] });
    const [sent] = writes.flatMap(({ path, body }) => (path === '/http/send' ? [body['body']] : []));
    assert.partialDeepStrictEqual(typeof sent === 'string' ? JSON.parse(sent) : sent, { total, currency: shop.currency });
  }
});

test('import-shopify-order compares the totals in the decimals of the currency', async () => {
  const statusOf = async (shop: ScriptedShop, there: { total_price: string; currency: string }) => {
    const body = { id: 1, name: '#1', line_items: [], ...there };
    const { results } = await runScripted('import-shopify-order', { ...shop, rows: [orderIn(shop)] }, { sent: { body } });
    return results.map((event) => Object.values(Object(event)).slice(0, 3));
  };
  const imported = (total: string, total_there: string) => [['imported', '#1', { order_id: 1, total, total_there }]];
  assert.deepEqual(await statusOf(yen, { total_price: '1999', currency: 'JPY' }), imported('￥1,999', '1999 JPY'));
  assert.deepEqual(await statusOf(yen, { total_price: '1999.00', currency: 'JPY' }), imported('￥1,999', '1999.00 JPY'));
  assert.deepEqual(await statusOf(dinar, { total_price: '1.999', currency: 'KWD' }), imported('KWD 1.999', '1.999 KWD'));
  assert.deepEqual(await statusOf(euro, { total_price: '19.99', currency: 'EUR' }), imported('€ 19,99', '19.99 EUR'));
  for (const [shop, total_price, currency] of [
    [yen, '19.99', 'JPY'],
    [dinar, '19.99', 'KWD'],
    [euro, '19.99', 'USD'],
    [euro, 'much', 'EUR'],
  ] as const) {
    assert.equal((await statusOf(shop, { total_price, currency }))[0]?.[0], 'imported, another total');
  }
});

test('weekly-report, revenue-by-country and cancel-unpaid-orders tell amounts as the shop writes them', async () => {
  for (const [shop, amount] of [
    [yen, '￥1,999'],
    [dinar, 'KWD 1.999'],
    [euro, '€ 19,99'],
  ] as const) {
    const paid = { ...shop, rows: [orderIn(shop, { payment_status: 'paid' })] };
    const { writes } = await runScripted('weekly-report', paid, { to: 'a@example.com' });
    const [mail] = writes.flatMap(({ path, body }) => (path === '/mails' ? [String(body['text'])] : []));
    assert.equal(mail?.split('\n')[1], `Paid: ${amount}`);
    const { results } = await runScripted('revenue-by-country', paid);
    assert.partialDeepStrictEqual(results, [{ details: { orders: 1, revenue: amount } }]);
    const unpaid = { ...shop, now: '2026-02-01T00:00:00Z', rows: [orderIn(shop)] };
    assert.partialDeepStrictEqual((await runScripted('cancel-unpaid-orders', unpaid)).results, [{ details: { total: amount } }]);
  }
});
