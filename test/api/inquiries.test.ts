import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('inquiries', (app) => {
  test('§3, PR1: an inquiry is mailed to the admins who may see it and want to know', async () => {
    const { client, clientFor } = app();
    const willing = await person(app(), { permissions: ['admin_api.inquiries.read'] });
    const unwilling = await person(app(), { permissions: ['admin_api.inquiries.read'] });
    await person(app(), { permissions: ['admin_api.orders.read'] });
    await clientFor(unwilling.token).preferences.update('inquiry_received', { email_enabled: false });
    const { id, customer_id } = await client.inquiries.create({
      name: 'Eva',
      email: 'eva@example.com',
      subject: 'Opening hours',
      body: 'Are you open on Sunday?',
    });
    assert.equal(customer_id, null);
    const mails = await mailsOf(app(), 'inquiry_received');
    assert.deepEqual(
      mails.map((mail) => mail.to_address),
      [(await clientFor(willing.token).me.get()).email],
    );
    assert.match(mails[0]?.text_body ?? '', /Eva <eva@example.com>.*Opening hours.*Are you open on Sunday\?/s);
    assert.equal((await client.inquiries.get(id)).answered_at, null);
  });

  test('§3: an answer goes to who asked, once', async () => {
    const { client } = app();
    const customer = await makeCustomer(app());
    const { email } = await client.customers.get(customer.id);
    const inquiry = await client.inquiries.create({ name: 'Cus', email, body: 'Where is my parcel?' });
    assert.equal(inquiry.customer_id, customer.id);
    const answered = await client.inquiries.answer(inquiry.id, { body: ' On its way. ' });
    assert.equal(answered.answer, 'On its way.');
    assert.ok(answered.answered_at);
    await refused(client.inquiries.answer(inquiry.id, { body: 'Again' }), 409, 'already_answered');
    const [mail, ...more] = await mailsOf(app(), 'inquiry_answer');
    assert.equal(more.length, 0);
    assert.equal(mail?.to_address, email);
    assert.match(mail?.text_body ?? '', /On its way\..*Where is my parcel\?/s);
  });

  test('§3: answered or not, found by name, address and subject, changed and deleted', async () => {
    const { client } = app();
    const open = await client.inquiries.create({ name: 'Ősz', email: 'osz@example.com', subject: 'Lámpa', body: 'x' });
    const done = await client.inquiries.create({ name: 'Other', email: 'other@example.com', subject: 'lámpa', body: 'x' });
    await client.inquiries.answer(done.id, { body: 'y' });
    const idsOf = async (query: object) => (await client.inquiries.list({ search: 'LÁMPA', ...query })).data.map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [done.id, open.id]);
    assert.deepEqual(await idsOf({ answered: false }), [open.id]);
    assert.deepEqual(await idsOf({ answered: true }), [done.id]);
    const changed = await client.inquiries.update(open.id, { subject: 'Bulb' });
    assert.equal(changed.subject, 'Bulb');
    assert.deepEqual(await idsOf({}), [done.id]);
    await refused(client.inquiries.update(open.id, { customer_id: 999_999 }), 422, 'customer_not_found');
    await refused(client.inquiries.create({ name: 'x', email: '', body: 'x' }), 422, 'blank');
    await refused(client.inquiries.create({ name: 'x', email: 'x@example.com', body: ' ' }), 422, 'blank');
    await client.inquiries.delete(open.id);
    await refused(client.inquiries.get(open.id), 404, 'not_found');
  });
});

function mailsOf(app: TestApp, template: string) {
  return app.store.reader.selectFrom('mails').selectAll().where('template', '=', template).orderBy('id').execute();
}
