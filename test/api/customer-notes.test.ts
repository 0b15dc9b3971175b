import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('customer notes', (app) => {
  test('NO1: a note is trimmed, shows its author and is listed newest first', async () => {
    const { id } = await makeCustomer(app());
    const first = await app().client.customers.create_note(id, { body: '  called back \n' });
    const second = await app().client.customers.create_note(id, { body: 'wants an invoice' });
    assert.equal(first.body, 'called back');
    assert.equal(first.customer_id, id);
    assert.ok(first.author.length > 0);
    assert.deepEqual(await app().client.customers.list_notes(id), [second, first]);
  });

  test('ER3, NO1: a note is 1 to 10,000 characters long', async () => {
    const { id } = await makeCustomer(app());
    await refused(app().client.customers.create_note(id, { body: ' \n ' }), 422, 'blank');
    await refused(app().client.customers.create_note(id, { body: 'x'.repeat(10_001) }), 422, 'too_long');
    const emoji = '🧾'.repeat(10_000);
    assert.equal((await app().client.customers.create_note(id, { body: emoji })).body, emoji);
    assert.equal((await app().client.customers.list_notes(id)).length, 1);
  });

  test('NO1: a note is deleted once, and only under its own customer', async () => {
    const owner = await makeCustomer(app());
    const other = await makeCustomer(app());
    const note = await app().client.customers.create_note(owner.id, { body: 'mine' });
    await refused(app().client.customers.delete_note(other.id, note.id), 404, 'not_found');
    await app().client.customers.delete_note(owner.id, note.id);
    assert.deepEqual(await app().client.customers.list_notes(owner.id), []);
    await refused(app().client.customers.delete_note(owner.id, note.id), 404, 'not_found');
  });

  test('ET5: a note changes the version of its customer', async () => {
    const { id } = await makeCustomer(app());
    const stale = { headers: { 'If-Match': `"customer-${id}-1"` } };
    await app().client.customers.create_note(id, { body: 'first' }, stale);
    await refused(app().client.customers.create_note(id, { body: 'second' }, stale), 412, 'precondition_failed');
  });
});
