import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exponentOf, moneyFormats } from '../../contract/money.ts';
import { rescale } from '../../server/values/currencies.ts';

const shop = { currency: 'EUR', currency_exponent: 2, locale: 'en' };

test('G14: money is written as in the locale, with ordinary spaces', () => {
  assert.equal(moneyFormats(shop)(1999, 'EUR'), '€19.99');
  assert.equal(moneyFormats({ ...shop, locale: 'hu' })(123_456_78, 'EUR'), '123 456,78 EUR');
  assert.equal(moneyFormats({ ...shop, locale: 'fr' })(-123_456_78, 'EUR'), '-123 456,78 €');
});

test('G15: the number of decimals comes from the settings for the shop’s currency, and from ISO for others', () => {
  assert.deepEqual(
    ['EUR', 'HUF', 'JPY', 'ISK', 'KWD', 'CLF', 'XXX'].map((code) => exponentOf(code, shop)),
    [2, 2, 0, 0, 3, 4, 2],
  );
  const forints = { currency: 'HUF', currency_exponent: 0, locale: 'en' };
  assert.equal(moneyFormats(forints)(4990, 'HUF').replaceAll(/[^\d.,]/g, ''), '4,990');
  assert.equal(moneyFormats(shop)(499_000, 'HUF').replaceAll(/[^\d.,]/g, ''), '4,990.00');
});

test('an amount changes its unit exactly, and rounds half up where digits are lost', () => {
  assert.deepEqual([rescale(1999, 2, 2), rescale(12, 0, 2), rescale(1200, 2, 0), rescale(1250, 2, 1)], [1999, 1200, 12, 125]);
  assert.deepEqual([rescale(1250, 3, 1), rescale(149, 2, 0), rescale(150, 2, 0)], [13, 1, 2]);
});
