import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { endpoints } from '../../contract/index.ts';

/** The error codes of a value, as `path:code`. A rule without a code of ours shows zod's code. */
function refusals(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const code = issue.code === 'custom' ? issue.params?.['code'] : issue.code;
    return `${issue.path.join('/')}:${code}`;
  });
}

const phoneOrder = {
  customer: { name: 'Ann', email: 'ann@example.com', phone: '' },
  shipping_address: { line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE' },
  items: [{ variant_id: 1, quantity: 2 }],
  shipping: { kind: 'configured', method_id: 1 },
  register_customer: false,
  send_confirmation_email: true,
};

test('slugs: double hyphens are accepted; a wrong slug is refused and not corrected', () => {
  const { body } = endpoints['access_groups.create'];
  assert.deepEqual(refusals(body, { slug: 'a--b', name: 'A' }), []);
  for (const slug of ['-a', 'a-', 'A', '', ' a', 'a'.repeat(65)]) {
    assert.deepEqual(refusals(body, { slug, name: 'A' }), ['slug:slug_invalid'], slug);
  }
  assert.deepEqual(refusals(endpoints['pages.create'].body, { slug: 'a'.repeat(100), title: 'A' }), []);
});

test('a group PATCH needs slug and name', () => {
  assert.deepEqual(refusals(endpoints['access_groups.update'].body, {}), ['slug:invalid_type', 'name:invalid_type']);
});

test('translations: locales are made canonical, and a repeated pair counts once', () => {
  const { body } = endpoints['pages.replace_translations'];
  const entry = { field: 'meta_title', locale: 'EN-us', value: '' };
  assert.equal(body.parse({ entries: [entry] }).entries[0]?.locale, 'en-US');
  assert.deepEqual(refusals(body, { entries: [entry, { ...entry, locale: 'en-US' }] }), ['entries/1:duplicate']);
  assert.deepEqual(refusals(body, { entries: [{ ...entry, locale: 'not a locale' }] }), ['entries/0/locale:invalid_locale']);
  assert.deepEqual(refusals(body, { entries: [{ ...entry, field: 'title' }] }), ['entries/0/field:invalid_value']);
});

test('page and cursor exclude each other', () => {
  const { query } = endpoints['orders.list'];
  assert.equal(query.parse({}).per_page, 20);
  assert.deepEqual(refusals(query, { page: 1, cursor: 'x' }), ['cursor:invalid_value']);
  assert.deepEqual(refusals(query, { per_page: 101 }), ['per_page:too_big']);
  assert.deepEqual(refusals(endpoints['logs.list'].query, { page: 1, cursor: 'x' }), ['cursor:invalid_value']);
});

test('the ledger clamps its limit', () => {
  const { query } = endpoints['customers.list_credit_transactions'];
  assert.deepEqual([query.parse({}).limit, query.parse({ limit: 0 }).limit, query.parse({ limit: 999 }).limit], [50, 1, 200]);
});

test('calendar: a malformed month is accepted without an error', () => {
  assert.deepEqual(refusals(endpoints['orders.calendar'].query, { month: '2026-13' }), []);
});

test('delivery date and internal status must be sent', () => {
  assert.deepEqual(refusals(endpoints['orders.update_delivery_date'].body, {}), ['delivery_date:invalid_type']);
  assert.deepEqual(refusals(endpoints['orders.update_delivery_date'].body, { delivery_date: null }), []);
  assert.deepEqual(refusals(endpoints['orders.update_delivery_date'].body, { delivery_date: '2026-02-30' }), [
    'delivery_date:invalid_date',
  ]);
  assert.deepEqual(refusals(endpoints['orders.update_internal_status'].body, {}), ['internal_status_id:invalid_type']);
});

test('values are not converted: text, fractions and 1 for true are refused', () => {
  assert.deepEqual(refusals(endpoints['orders.update_test_flag'].body, { is_test: 1 }), ['is_test:invalid_type']);
  const { body } = endpoints['orders.create_payment'];
  assert.deepEqual(refusals(body, { label: 'a', amount_cents: '5' }), ['amount_cents:invalid_type']);
  assert.deepEqual(refusals(body, { label: 'a', amount_cents: 1.5 }), ['amount_cents:invalid_type']);
  assert.deepEqual(refusals(body, { label: 'a', amount_cents: 5.0 }), []);
});

test('an edit may be empty; a new line needs variant and quantity', () => {
  const { body } = endpoints['orders.edit'];
  assert.deepEqual(refusals(body, {}), []);
  assert.deepEqual(refusals(body, { items: [{ id: 3, quantity: 0 }] }), []);
  assert.deepEqual(refusals(body, { items: [{ id: null }] }), ['items/0/variant_id:required', 'items/0/quantity:required']);
  assert.deepEqual(refusals(body, { items: [{ variant_id: 1, quantity: 0 }] }), ['items/0/quantity:out_of_range']);
});

test('phone orders: the required fields depend on the kind of delivery', () => {
  const { body } = endpoints['orders.create'];
  assert.equal(body.parse(phoneOrder).payment_status, 'none');
  const { shipping_address: _, ...noAddress } = phoneOrder;
  assert.deepEqual(refusals(body, noAddress), ['shipping_address:required']);
  assert.deepEqual(refusals(body, { ...noAddress, shipping: { kind: 'none' } }), []);
  assert.deepEqual(refusals(body, { ...noAddress, shipping: { kind: 'pickup' } }), ['shipping/method_id:required']);
  assert.deepEqual(refusals(body, { ...phoneOrder, customer: { name: 'Ann', email: '', phone: '' } }), ['customer/email:blank']);
  assert.deepEqual(refusals(body, { ...phoneOrder, payment_status: 'refunded' }), ['payment_status:invalid_value']);
});

test('credit of zero is refused; notes and reasons are trimmed', () => {
  assert.deepEqual(refusals(endpoints['customers.adjust_credits'].body, { delta: 0 }), ['delta:zero_delta']);
  assert.deepEqual(refusals(endpoints['customers.create_note'].body, { body: ' \n ' }), ['body:blank']);
  assert.equal(endpoints['customers.create_note'].body.parse({ body: ' hi ' }).body, 'hi');
});

test('stock is changed by a delta with a reason, or by compare-and-set', () => {
  const { body } = endpoints['products.change_stock'];
  assert.deepEqual(refusals(body, { delta: 1, reason: 'count' }), []);
  assert.deepEqual(refusals(body, { stock: 5, expected_stock: 4 }), []);
  assert.deepEqual(refusals(body, {}), ['delta:required']);
  assert.deepEqual(refusals(body, { delta: 1 }), ['reason:required']);
  assert.deepEqual(refusals(body, { stock: 5 }), ['expected_stock:required']);
  assert.deepEqual(refusals(body, { stock: 5, delta: 1 }), ['stock:invalid_value']);
});

test('product assignments: only an explicit list detaches products, and a repeated group counts once', () => {
  const { body } = endpoints['products.replace_access_groups'];
  assert.deepEqual(refusals(body, {}), ['assignments:invalid_type']);
  assert.deepEqual(refusals(body, { assignments: [] }), []);
  assert.deepEqual(refusals(body, { assignments: [{ group_id: 1 }, { group_id: 1 }] }), ['assignments/1/group_id:duplicate']);
});
