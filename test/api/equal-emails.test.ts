import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('which emails are the same (G22)', (app) => {
  const order = async (email: string): Promise<{ id: number; customer_id: number | null }> => {
    const variant = await makeVariant(app(), { stock: 9 });
    const customer = { name: 'Somebody', email, phone: '' };
    const { id } = await app().client.orders.create(phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer }));
    return app().client.orders.get(id);
  };

  test('a domain compares in its ASCII form, the local part by case alone', async () => {
    const { client } = app();
    const made = await client.customers.create({ name: 'Ann', email: 'Ann@Müller.example' });
    assert.equal(made.email, 'Ann@Müller.example');
    for (const email of ['ann@xn--mller-kva.example', 'ANN@XN--MLLER-KVA.EXAMPLE', 'ann@mu\u0308ller.example', ' aNN@MÜLLER.EXAMPLE '])
      await refused(client.customers.create({ name: 'Other', email }), 422, 'duplicate');
    assert.equal((await order('ann@xn--mller-kva.example')).customer_id, made.id);
    for (const email of ['strasse@a.example', 'straße@a.example', 'ilk@a.example', 'ılk@a.example', 'ann@muller.example'])
      await client.customers.create({ name: 'Apart', email });
    await refused(
      client.customers
        .create({ name: 'Other', email: 'ΣΊΣΥΦΟΣ@a.example' })
        .then(() => client.customers.create({ name: 'Other', email: 'σίσυφος@A.example' })),
      422,
      'duplicate',
    );
    const found = async (search: string) => (await client.customers.list({ search })).data.map(({ id }) => id);
    for (const search of ['@müll', 'N@MÜLLER']) assert.ok((await found(search)).includes(made.id), search);
  });

  test('an email that is written in another way stays the same customer; a new one is free afterwards', async () => {
    const { client } = app();
    const { id } = await client.customers.create({ name: 'Bo', email: 'bo@bücher.example' });
    const rival = await client.customers.create({ name: 'Cy', email: 'cy@bücher.example' });
    await refused(client.customers.update(rival.id, { email: 'BO@xn--bcher-kva.example' }), 422, 'duplicate');
    for (const email of ['BO@xn--bcher-kva.example', 'bo@Bücher.example'])
      assert.equal((await client.customers.update(id, { email })).email, email);
    await refused(client.customers.create({ name: 'Bo', email: 'bo@xn--bcher-kva.example' }), 422, 'duplicate');
    await client.customers.update(id, { email: 'bo@example.com' });
    await refused(client.customers.create({ name: 'Bo', email: 'BO@example.com' }), 422, 'duplicate');
    assert.notEqual((await client.customers.create({ name: 'Bo', email: 'bo@xn--bcher-kva.example' })).id, id);
  });

  test('of simultaneous orders with one email in two ways, all belong to one customer', async () => {
    const orders = await Promise.all(['dee@köln.example', 'dee@xn--kln-sna.example', 'DEE@KÖLN.example', 'dee@köln.example'].map(order));
    assert.equal(new Set(orders.map(({ customer_id }) => customer_id)).size, 1);
  });

  test('who is forgotten is forgotten in all orders and inquiries with the same email, and in no others', async () => {
    const { client } = app();
    const eve = await makeCustomer(app(), { email: 'eve@zürich.example' });
    const emails = ['EVE@xn--zrich-kva.example', 'eve@zurich.example', 'evel@zürich.example', 'ev@zürich.example'];
    const orders = [];
    for (const email of emails) orders.push(await order(email));
    const inquiries = [];
    for (const email of emails) inquiries.push(await client.inquiries.create({ name: 'E', email, subject: 's', body: 'b' }));
    await client.customers.delete(eve.id);
    const left = async (list: { id: number }[], get: (id: number) => Promise<string>) => Promise.all(list.map(({ id }) => get(id)));
    const [, ...others] = emails;
    assert.deepEqual(await left(orders, async (id) => (await client.orders.get(id)).customer_email), ['', ...others]);
    assert.deepEqual(await left(inquiries, async (id) => (await client.inquiries.get(id)).email), ['', ...others]);
  });

  test('an admin has an email alone; in mail_to an address covers its other ways to be written', async () => {
    const { client } = app();
    await client.admins.create({ name: 'One', email: 'ops@Müller.example' });
    await refused(client.admins.create({ name: 'Two', email: 'OPS@xn--mller-kva.example' }), 422, 'duplicate');
    await client.admins.create({ name: 'Two', email: 'straße@shop.example' });
    const three = await client.admins.create({ name: 'Three', email: 'strasse@shop.example' });
    await refused(client.admins.update(three.id, { email: 'STRAßE@shop.example' }), 422, 'duplicate');
    assert.equal((await client.admins.update(three.id, { email: 'STRASSE@shop.example' })).email, 'STRASSE@shop.example');
    assert.equal((await client.admins.list({ search: 'ops@müller' })).total, 1);
  });
});
