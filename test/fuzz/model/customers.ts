import fc from 'fast-check';
import { emailKey } from '../../../contract/emails.ts';
import { act, expectRecord, idOf } from './act.ts';
import { type Customer, type Model, manner, NOBODY, nth, pick, step, stepsOf } from './model.ts';

/** Customers with their notes and store credit. */

const name = fc.constantFrom('Ann', 'Bo', 'Éva 🙂');
export const email = fc.constantFrom(
  'ann@example.com',
  'ANN@example.com',
  'bo@example.com',
  'straße@example.com',
  'bo@bücher.example',
  'BO@xn--bcher-kva.example',
);

/** The customer with this email; its case does not matter, ß is not ss, and a domain has an ASCII form. */
export function customerOf({ customers }: Model, wanted: string): number | undefined {
  return [...customers].find(([, one]) => emailKey(one.email) === emailKey(wanted))?.[0];
}

const create = step({ name, email, registered: fc.boolean(), manner }, async ({ session, model }, { manner: how, ...body }) => {
  const refusal = customerOf(model, body.email) === undefined ? null : 'duplicate';
  const answer = await act(session, { id: 'customers.create', path: '/customers', body, manner: how, refusal });
  if (answer) model.customers.set(idOf(answer), { ...body, phone: null, credits: 0, notes: new Map() });
});

const change = step(
  {
    n: nth,
    body: fc.record(
      { name, email, phone: fc.option(fc.constantFrom('1', '+43 1')), registered: fc.boolean() },
      { requiredKeys: [], noNullPrototype: true },
    ),
    manner,
  },
  async ({ session, model }, { n, body, manner: how }) => {
    const [id, customer] = pick(model.customers, n) ?? [];
    if (id === undefined || customer === undefined) return;
    const rival = body.email === undefined ? undefined : customerOf(model, body.email);
    const refusal = rival === undefined || rival === id ? null : 'duplicate';
    const wanted = { ...customer, ...body };
    const raises = JSON.stringify(shownCustomer(wanted)) !== JSON.stringify(shownCustomer(customer));
    const accepted = await act(session, { id: 'customers.update', path: `/customers/${id}`, body, manner: how, refusal, raises });
    if (accepted) model.customers.set(id, wanted);
  },
);

const remove = step({ n: nth, manner }, async ({ session, model }, { n, manner: how }) => {
  const [id = NOBODY] = pick(model.customers, n) ?? [];
  const refusal = model.customers.has(id) ? null : 'not_found';
  const { email: gone } = model.customers.get(id) ?? { email: '' };
  if (!(await act(session, { id: 'customers.delete', path: `/customers/${id}`, manner: how, refusal }))) return;
  model.customers.delete(id);
  for (const order of model.orders.values()) {
    if (order.customer_id === id || emailKey(order.email) === emailKey(gone))
      Object.assign(order, { email: '', notes: '', internal_notes: null });
  }
  // Orders keep their customer's record, without the person.
  if ([...model.orders.values()].some(({ customer_id }) => customer_id === id)) model.forgotten.add(id);
  await expectRecord(session, `/customers/${id}`, model.forgotten.has(id) ? { name: '', email: '', phone: null } : null);
});

const createNote = step(
  { n: nth, body: fc.constantFrom('Called', 'Ring twice 🙂'), manner },
  async ({ session, model }, { n, body, manner: how }) => {
    const [id, customer] = pick(model.customers, n) ?? [];
    if (id === undefined || customer === undefined) return;
    const path = `/customers/${id}/notes`;
    const answer = await act(session, { id: 'customers.create_note', path, body: { body }, manner: how, refusal: null, raises: true });
    if (answer) customer.notes.set(idOf(answer), body);
  },
);

const deleteNote = step({ n: nth, m: nth, manner }, async ({ session, model }, { n, m, manner: how }) => {
  const [id, customer] = pick(model.customers, n) ?? [];
  if (id === undefined || customer === undefined) return;
  const [note = NOBODY] = pick(customer.notes, m) ?? [];
  const refusal = customer.notes.has(note) ? null : 'not_found';
  const path = `/customers/${id}/notes/${note}`;
  if (await act(session, { id: 'customers.delete_note', path, manner: how, refusal })) customer.notes.delete(note);
});

const adjustCredits = step(
  {
    n: nth,
    delta: fc.oneof(fc.integer({ min: -30, max: 60 }), fc.constantFrom(0, 1_000_000_000)),
    days: fc.constantFrom(null, 1, 36_500),
    manner,
  },
  async ({ session, model }, { n, delta, days, manner: how }) => {
    const [id, customer] = pick(model.customers, n) ?? [];
    if (id === undefined || customer === undefined) return;
    const refusal = delta === 0 ? 'zero_delta' : customer.credits + delta < 0 ? 'insufficient_credit' : null;
    const body = { delta, expires_in_days: days };
    const path = `/customers/${id}/credits/adjust`;
    const accepted = await act(session, { id: 'customers.adjust_credits', path, body, manner: how, refusal, raises: true });
    if (accepted) customer.credits += delta;
    await expectRecord(session, `/customers/${id}`, { credits: customer.credits });
  },
);

export const customerSteps = stepsOf({
  make: [create],
  change: [change, createNote, deleteNote, adjustCredits, adjustCredits],
  remove: [remove],
});

export function shownCustomer({ notes: _, ...customer }: Customer) {
  return customer;
}
