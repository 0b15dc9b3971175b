import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyFormat } from '../../contract/money.ts';
import { writeMail } from '../../server/resources/mail/templates.ts';

const order = {
  id: 7,
  public_id: 'K3J9QW2M8ZXA',
  status: 'pending',
  payment_status: 'none',
  customer_name: 'Ágnes <Kiss>',
  customer_email: 'agnes@example.com',
  customer_phone: '',
  customer_id: 3,
  total: 5270,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
  is_test: false,
  delivery_date: '2026-03-09',
  internal_status_id: null,
  shipping_country: 'HU',
  currency: 'EUR',
  shipping_line1: 'Fő utca 1',
  shipping_line2: '',
  shipping_city: 'Győr',
  shipping_state: '',
  shipping_postal_code: '9021',
  notes: '',
  subtotal: 4000,
  tax_amount: 980,
  shipping_method: 'Courier',
  shipping_cost: 790,
  payment_provider: 'manual',
  pickup_location_id: null,
  pickup_location_name: null,
  tracking_number: '',
  ip_address: '',
  invoice_url: null,
  prices_include_tax: false,
  discount_amount: 500,
  discount_reason: null,
  voucher_code: null,
  internal_notes: 'difficult customer',
  billing_address: null,
  paid_total_cents: 0,
  balance_due_cents: 5270,
  payment_progress: 'unpaid',
  downloads: [],
  items: [
    {
      id: 1,
      product_id: 1,
      variant_id: 1,
      product_name: 'Notebook & pen',
      product_sku: 'N-1',
      unit_price: 2000,
      quantity: 2,
      subtotal: 4000,
      tax_rate: 2700,
      tax_amount: 945,
      variant_label: 'A5',
      custom_fields: [],
    },
  ],
};
const to = { name: order.customer_name, email: order.customer_email };
const shop = { shop_name: 'Paper & Co', locale: 'en', currency_exponent: 2 };

test('an order confirmation contains everything that the customer ordered and owes, and nothing internal', () => {
  const { subject, text } = writeMail({ template: 'order_confirmation', to, data: { order } }, shop);
  assert.equal(subject, 'Your order K3J9QW2M8ZXA at Paper & Co');
  assert.equal(
    text,
    `Hello Ágnes <Kiss>,

Thank you for your order. This is what we have noted:

Order number: K3J9QW2M8ZXA
Expected delivery: March 9, 2026
Delivery address: Fő utca 1, 9021 Győr, HU

2 × Notebook & pen, A5: €40.00

Subtotal: €40.00
Discount: -€5.00
Shipping: €7.90
Tax: €9.80
Total: €52.70

Kind regards
Paper & Co
`,
  );
  assert.doesNotMatch(text, /difficult/);
});

test('the HTML part of a mail has the same content, escaped', () => {
  const { html } = writeMail({ template: 'order_confirmation', to, data: { order } }, shop);
  assert.match(html, /Hello Ágnes &lt;Kiss&gt;,/);
  assert.match(html, /<td>2 × Notebook &amp; pen, A5<\/td><td>€40\.00<\/td>/);
  assert.doesNotMatch(html, /<Kiss>/);
});

test('prices that include tax say so below the total', () => {
  const { text } = writeMail(
    { template: 'order_confirmation', to, data: { order: { ...order, prices_include_tax: true, total: 4290 } } },
    shop,
  );
  assert.match(text, /Total: €42\.90\nTax included: €9\.80\n/);
});

test('the mail about a changed order gives the previous total', () => {
  const { subject, text } = writeMail({ template: 'order_updated', to, data: { order, total_before_cents: 5000 } }, shop);
  assert.equal(subject, 'Your order K3J9QW2M8ZXA at Paper & Co was changed');
  assert.match(text, /Total: €52\.70\n\nTotal before the change: €50\.00\n/);
});

test('every template exists in German and Hungarian, with money and dates of the locale; other languages get English', () => {
  const inLocale = (locale: string) => writeMail({ template: 'order_confirmation', to, data: { order } }, { ...shop, locale });
  assert.match(inLocale('de-AT').text, /Guten Tag[\s\S]*Voraussichtliche Lieferung: 9\. März 2026[\s\S]*Summe: € 52,70/);
  assert.match(inLocale('hu').text, /Kedves[\s\S]*Várható kiszállítás: 2026\. március 9\.[\s\S]*Végösszeg: 52,70 EUR/);
  assert.match(inLocale('fr').text, /Thank you[\s\S]*Total: 52,70 €/);
  for (const [locale, word] of [
    ['de', 'Konto'],
    ['hu', 'Fiók'],
    ['en', 'account'],
  ] as const) {
    const { subject, text } = writeMail({ template: 'set_password', to, data: { customer_id: 1 } }, { ...shop, locale });
    assert.match(`${subject} ${text}`, new RegExp(word));
    assert.match(text, /agnes@example\.com/);
    assert.doesNotMatch(text, /[{}]/);
  }
});

test('what customers typed is never taken for a placeholder, and a subject is one line', () => {
  const odd = { name: '{shop} $& {address}', email: 'a@example.com' };
  const { text, subject } = writeMail(
    { template: 'set_password', to: odd, data: { customer_id: 1 } },
    { ...shop, shop_name: 'Two\r\nLines' },
  );
  assert.match(text, /^Hello \{shop\} \$& \{address\},/);
  assert.equal(subject, 'Your account at Two Lines');
});

test('G14, G15: money in mails has the decimals of the shop, ordinary spaces and no rounding', () => {
  assert.equal(moneyFormat({ locale: 'en', currency: 'EUR', exponent: 2 })(1999), '€19.99');
  assert.equal(moneyFormat({ locale: 'en', currency: 'HUF', exponent: 2 })(199_900), 'HUF 1,999.00');
  assert.equal(moneyFormat({ locale: 'de', currency: 'EUR', exponent: 2 })(-5), '-0,05 €');
  assert.equal(moneyFormat({ locale: 'en', currency: 'JPY', exponent: 0 })(1234), '¥1,234');
  assert.equal(moneyFormat({ locale: 'en', currency: 'USD', exponent: 2 })(Number.MAX_SAFE_INTEGER), '$90,071,992,547,409.91');
});
