import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const vienna = { timezone: 'Europe/Vienna', currency: 'EUR', currency_exponent: 2, locale: 'de-AT' };

test('shop has the time zone, the currency with its exponent, and the locale, as a global, in the context and as an import', async () => {
  const { result } = await runScript(
    `import { shop as same } from 'backroom';
     export default (context) => [shop, same === shop, context.shop === shop, Object.isFrozen(shop)];`,
    { shop: vienna },
  );
  assert.deepEqual(result, [vienna, true, true, true]);
});

test('shop.today is the day in the shop’s zone by the script’s clock, which moves with answers', async () => {
  const source = `const before = shop.today(); await admin_api.get('/x'); export default () => [before, shop.today()]`;
  const days = async (timezone: string) => {
    const respond = () => ({ value: '{"status":200,"body":null}', now_ms: Date.UTC(2026, 2, 29, 23, 30) });
    return (await runScript(source, { shop: { timezone }, nowMs: Date.UTC(2026, 2, 29, 9), respond })).result;
  };
  assert.deepEqual(await days('UTC'), ['2026-03-29', '2026-03-29']);
  // In Vienna the clocks change in this night.
  assert.deepEqual(await days('Europe/Vienna'), ['2026-03-29', '2026-03-30']);
  assert.deepEqual(await days('America/Los_Angeles'), ['2026-03-29', '2026-03-29']);
  assert.deepEqual(await days('Pacific/Kiritimati'), ['2026-03-29', '2026-03-30']);
});

test('shop.day is the day in the shop’s zone of a Date, a time in ms or a timestamp; a day stays that day', async () => {
  const source = `
    const at = '2026-01-05T23:30:00.000Z';
    export default () => [shop.day(at), shop.day(new Date(at)), shop.day(Date.parse(at)), shop.day('2026-01-05T23:30:00+01:00'),
      shop.day('2026-01-05'), shop.day(Temporal.Instant.from(at).toString())];`;
  const { result } = await runScript(source, { shop: vienna });
  assert.deepEqual(result, ['2026-01-06', '2026-01-06', '2026-01-06', '2026-01-05', '2026-01-05', '2026-01-06']);
  const { result: west } = await runScript(source, { shop: { timezone: 'America/New_York' } });
  assert.deepEqual(west, ['2026-01-05', '2026-01-05', '2026-01-05', '2026-01-05', '2026-01-05', '2026-01-05']);
});

test('shop.day refuses what is no time, or a time of nobody’s zone', async () => {
  const source = `
    const tried = [new Date(NaN), NaN, 1e300, '2026-02-30', '2026-01-05T10:00:00', 'yesterday', '', null, undefined, {}, 5n,
      '2026-02-30T10:00:00Z', '2026-04-31T10:00:00+02:00', '2026-13-01'];
    export default () => tried.map((date) => { try { return shop.day(date); } catch (error) { return error.message; } });`;
  const said = 'shop.day takes a Date, a time in ms, a timestamp with its offset such as 2026-01-05T23:30:00Z, or a day such as 2026-01-05';
  assert.deepEqual(
    (await runScript(source, { shop: vienna })).result,
    Array.from({ length: 14 }, () => said),
  );
});

test('G14, G15: shop.money writes amounts with the shop’s locale, currency and exponent, without a float in between', async () => {
  const source = `export default () => [1999, -5, 0, 9007199254740991].map((cents) => shop.money(cents))`;
  const written = async (shop: object) => (await runScript(source, { shop })).result;
  assert.deepEqual(await written(vienna), ['€ 19,99', '-€ 0,05', '€ 0,00', '€ 90.071.992.547.409,91']);
  assert.deepEqual(await written({ currency: 'JPY', currency_exponent: 0, locale: 'ja' }), [
    '￥1,999',
    '-￥5',
    '￥0',
    '￥9,007,199,254,740,991',
  ]);
  assert.deepEqual(await written({ currency: 'KWD', currency_exponent: 3 }), [
    'KWD 1.999',
    '-KWD 0.005',
    'KWD 0.000',
    'KWD 9,007,199,254,740.991',
  ]);
  // `Intl` gives forints no decimals, the shop may.
  assert.deepEqual(
    (await runScript(`export default () => shop.money(499000)`, { shop: { currency: 'HUF', currency_exponent: 2 } })).result,
    'HUF 4,990.00',
  );
  const other = await runScript(`export default () => [shop.money(1999, 'JPY'), shop.money(1999, 'KWD'), shop.money(1999, 'EUR')]`, {
    shop: vienna,
  });
  assert.deepEqual(other.result, ['¥ 1.999', 'KWD 1,999', '€ 19,99']);
});

test('shop.decimal and shop.cents turn amounts into plain numbers and back', async () => {
  const source = `export default () => [1999, -5, 0, 100].map((cents) => [shop.decimal(cents), shop.cents(shop.decimal(cents)) === cents])`;
  const texts = async (shop: object) => (await runScript(source, { shop })).result;
  const right = (...all: string[]) => all.map((text) => [text, true]);
  assert.deepEqual(await texts({}), right('19.99', '-0.05', '0.00', '1.00'));
  assert.deepEqual(await texts({ currency: 'JPY', currency_exponent: 0 }), right('1999', '-5', '0', '100'));
  assert.deepEqual(await texts({ currency: 'KWD', currency_exponent: 3 }), right('1.999', '-0.005', '0.000', '0.100'));
  const { result } = await runScript(
    `const tried = ['19.99', 19.99, '20', '1.10', 0.07, ' 5 ', '19.990', '19.999', 0.1 + 0.2, '19,99', '€5', '', '1e3', 1e21, 'x', null, NaN, '90071992547409.92'];
     export default () => tried.map((amount) => { try { return shop.cents(amount); } catch (error) { return error.name; } });`,
  );
  assert.deepEqual(result, [
    ...[1999, 1999, 2000, 110, 7, 500, 1999, 'RangeError', 'RangeError'],
    ...Array.from({ length: 8 }, () => 'TypeError'),
    'RangeError',
  ]);
});

test('what is no amount, and no currency, is refused with what it should be', async () => {
  const { result } = await runScript(
    `const tried = [() => shop.money(19.99), () => shop.money('1999'), () => shop.decimal(2 ** 53), () => shop.money(1, 'euro'), () => shop.cents(1, 5)];
     export default () => tried.map((call) => { try { return call(); } catch (error) { return error.message; } });`,
  );
  assert.deepEqual(result, [
    'shop.money takes a whole number of minor units, such as 1999; it got 19.99',
    'shop.money takes a whole number of minor units, such as 1999; it got string',
    'shop.decimal takes a whole number of minor units, such as 1999; it got 9007199254740992',
    'shop.money: a currency is three upper-case letters, such as EUR',
    'shop.cents: a currency is three upper-case letters, such as EUR',
  ]);
});
