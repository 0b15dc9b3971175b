import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { startSmtp } from '../helpers/smtp.ts';

onBothStores('inquiries', (app) => {
  test('IQ1, PR1: a new inquiry is mailed to the admins who may read inquiries and have not switched the mail off', async () => {
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

  test('IQ2: the answer is mailed to the sender of the inquiry; a second answer is refused', async () => {
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

  test('the answer tells how it stands with its mail: it waits without a mail account, is sent with one, and the ETag follows', async () => {
    const { client } = app();
    const asked = await client.inquiries.create({ name: 'Ina', email: 'ina@example.com', body: 'Is it blue?' });
    assert.equal(asked.answer_mail, null);
    assert.equal((await client.me.get()).shop.sends_mail, false);
    assert.equal((await client.inquiries.answer(asked.id, { body: 'It is.' })).answer_mail, 'queued');
    const etag = async () => (await app().request({ path: `/admin/api/inquiries/${asked.id}` })).headers['etag'];
    const waiting = await etag();
    assert.equal((await client.inquiries.get(asked.id)).answer_mail, 'queued');
    const smtp = await startSmtp();
    await client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
    assert.equal((await client.me.get()).shop.sends_mail, true);
    await until('the answer is sent', async () => (await client.inquiries.get(asked.id)).answer_mail === 'sent');
    assert.notEqual(await etag(), waiting);
    assert.equal((await client.inquiries.update(asked.id, { subject: 'Blue' })).answer_mail, 'sent');
    await client.settings.update({ smtp: null });
    await smtp.close();
  });

  test('IQ1: inquiries are filtered by answered, found by name, address and subject, changed and deleted', async () => {
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
