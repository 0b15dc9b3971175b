import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { PhoneOrderPayload } from '../../contract/order-edits.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeProduct, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { storeCustomer } from '../helpers/stored-rows/shop.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';
import { deliver, eventOf, paymentIntentObject, STRIPE_SECRET, subscriptionObject } from '../helpers/stripe-double.ts';

/** Who has access, and until when: the server's clock is set by hand. */

const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const daysLater = (days: number): string => new Date(NOON + days * 86_400_000).toISOString();
const at = (time: string): void => mock.timers.setTime(Date.parse(time));

onBothStores(
  'access by orders, subscriptions and grants',
  (app) => {
    beforeEach(() => mock.timers.enable({ apis: ['Date'], now: NOON }));
    afterEach(() => mock.timers.reset());

    let made = 0;
    const { groups, orders, products } = {
      groups: () => app().client.access_groups,
      orders: () => app().client.orders,
      products: () => app().client.products,
    };
    const newGroup = () => groups().create({ slug: `given-${++made}`, name: `Given ${made}` });
    const assign = (product_id: number, group_id: number, duration_days: number | null = null) =>
      products().replace_access_groups(product_id, { assignments: [{ group_id, duration_days }] });
    /** A product that gives a new group, or one that there is. */
    const course = async (durationDays: number | null = null, groupId?: number, price = 1000) => {
      const group_id = groupId ?? (await newGroup()).id;
      const product = await makeProduct(app());
      const variant = await makeVariant(app(), { product_id: product.id, price_cents: price });
      await assign(product.id, group_id, durationDays);
      return { group_id, product_id: product.id, variant_id: variant.id };
    };
    type Course = Awaited<ReturnType<typeof course>>;
    const buy = async (courses: readonly Course[], values: Partial<PhoneOrderPayload> = {}) => {
      const items = courses.map(({ variant_id }) => ({ variant_id, quantity: 2 }));
      const { id } = await orders().create(phoneOrder(items, { payment_status: 'paid', ...values }));
      return id;
    };
    const ends = async (groupId: number) => (await groups().list_members(groupId)).map(({ expires_at }) => expires_at);
    const count = async (groupId: number) => (await groups().list()).find(({ id }) => id === groupId)?.member_count;
    const ann = { name: 'Ann', email: 'ann@example.com', phone: '' };

    test('AG8: what a paid order buys begins with it and lasts its days, however many are bought', async () => {
      const sold = await course(30);
      const id = await buy([sold], { customer: ann });
      const group = await groups().get(sold.group_id);
      assert.deepEqual(group.members, [
        {
          customer_id: (await orders().get(id)).customer_id,
          customer_email: 'ann@example.com',
          customer_name: 'Ann',
          source: 'order',
          source_id: id,
          expires_at: daysLater(30),
          note: null,
          group_name: group.name,
          group_slug: group.slug,
        },
      ]);
      assert.equal(group.member_count, 1);
    });

    test('AG8: an order that is paid later, by hand, by its payment records or through its provider, begins then', async () => {
      const ways: ((id: number) => Promise<unknown>)[] = [
        (id) => orders().update_payment_status(id, { payment_status: 'paid' }),
        (id) => orders().create_payment(id, { label: 'cash', amount_cents: 2000, paid: true }),
        (id) =>
          deliver(
            app(),
            eventOf(
              'payment_intent.succeeded',
              paymentIntentObject({ amount: 2000, amount_received: 2000, metadata: { order_id: String(id) } }),
            ),
          ),
      ];
      for (const pay of ways) {
        const sold = await course(1);
        const id = await buy([sold], { payment_status: 'none' });
        assert.deepEqual(await ends(sold.group_id), []);
        at(daysLater(10));
        await pay(id);
        assert.deepEqual(await ends(sold.group_id), [daysLater(11)]);
        at(daysLater(10.5));
        await orders().update_payment_status(id, { payment_status: 'pending' });
        await orders().update_payment_status(id, { payment_status: 'paid' });
        assert.deepEqual(await ends(sold.group_id), [daysLater(11)]);
        at(daysLater(0));
      }
    });

    test('AG8: an order of total 0 is bought when it is made; one without a customer gives nobody access', async () => {
      const free = await course(null, undefined, 0);
      await buy([free], { payment_status: 'none' });
      assert.deepEqual(await ends(free.group_id), [null]);
      const sold = await course();
      await buy([sold], { customer: { name: 'Somebody', email: '', phone: '' } });
      assert.deepEqual(await groups().list_members(sold.group_id), []);
    });

    test('AG5: two orders are two rows; two lines of one order are one, with the latest end; never ends wins', async () => {
      const month = await course(30);
      const week = await course(7, month.group_id);
      const first = await buy([month, week], { customer: ann });
      const second = await buy([week], { customer: ann });
      const rows = (await groups().list_members(month.group_id)).map(({ source_id, expires_at }) => [source_id, expires_at]);
      assert.deepEqual(rows, [
        [first, daysLater(30)],
        [second, daysLater(7)],
      ]);
      assert.equal(await count(month.group_id), 1);
      const forLife = await course(null, month.group_id);
      await buy([month, forLife], { customer: { ...ann, email: 'bob@example.com' } });
      assert.deepEqual(await ends(month.group_id), [daysLater(30), daysLater(7), null]);
      assert.equal(await count(month.group_id), 2);
    });

    test('AG4, AG6: what has expired counts no more; an order’s row goes, a grant’s stays to be revoked', async () => {
      const sold = await course(1);
      await buy([sold]);
      const { id: customer_id } = await makeCustomer(app());
      const grant = await groups().create_grant(sold.group_id, { customer_id, expires_at: daysLater(1) });
      await groups().create_grant(sold.group_id, { customer_id, expires_at: daysLater(-1) });
      assert.equal(await count(sold.group_id), 2);
      at(new Date(Date.parse(daysLater(1)) - 1).toISOString());
      assert.equal(await count(sold.group_id), 2);
      at(daysLater(1));
      assert.equal(await count(sold.group_id), 0);
      const left = await groups().list_members(sold.group_id);
      assert.deepEqual(
        left.map(({ source }) => source),
        ['manual_grant', 'manual_grant'],
      );
      assert.deepEqual((await groups().get(sold.group_id)).members, left);
      assert.deepEqual(await app().client.customers.list_access_groups(customer_id), left);
      await groups().revoke_grant(grant.id);
      assert.equal((await groups().list_members(sold.group_id)).length, 1);
    });

    test('AG7: members are ordered by folded email, source and its id, the same in all three places', async () => {
      const sold = await course();
      const { email, id: customer_id } = await storeCustomer(app().store, { email: 'b-ag7@example.com', name: '' });
      const second = await makeCustomer(app(), { email: 'A-ag7@example.com' });
      const grant = await groups().create_grant(sold.group_id, { customer_id, expires_at: null, note: 'press' });
      const order = await buy([sold], { customer: { ...ann, email: ` ${email.toUpperCase()}` } });
      const other = await groups().create_grant(sold.group_id, { customer_id: second.id, expires_at: null });
      const members = await groups().list_members(sold.group_id);
      assert.deepEqual(
        members.map((row) => [row.source, row.source_id, row.customer_name, row.note]),
        [
          ['manual_grant', other.id, second.name, null],
          ['manual_grant', grant.id, null, 'press'],
          ['order', order, null, null],
        ],
      );
      assert.deepEqual((await groups().get(sold.group_id)).members, members);
      assert.deepEqual(await app().client.customers.list_access_groups(customer_id), members.slice(1));
    });

    test('AG9, O16: a cancellation ends it and a refund ends it; reopened and paid again, it has its first start', async () => {
      const sold = await course(30);
      const id = await buy([sold]);
      const steps: [() => Promise<unknown>, boolean][] = [
        [() => orders().update_status(id, { status: 'cancelled' }), false],
        [() => orders().update_status(id, { status: 'processing' }), true],
        [() => orders().update_payment_status(id, { payment_status: 'pending' }), true],
        [() => orders().update_payment_status(id, { payment_status: 'refunded' }), false],
        // Only a payment undoes a refund.
        [() => orders().update_payment_status(id, { payment_status: 'pending' }), false],
        [() => orders().update_shipping(id, { tracking_number: '', status: 'cancelled' }), false],
        [() => orders().update_payment_status(id, { payment_status: 'paid' }), false],
        [() => orders().bulk_status({ ids: [id], status: 'shipped' }), true],
      ];
      for (const [n, [step, has]] of steps.entries()) {
        at(daysLater(n));
        await step();
        assert.deepEqual(await ends(sold.group_id), has ? [daysLater(30)] : [], `step ${n}`);
        assert.equal(await count(sold.group_id), has ? 1 : 0, `step ${n}`);
      }
    });

    test('AG10: what was bought stays as it was sold, whatever the product gives later', async () => {
      const sold = await course(30);
      const other = await newGroup();
      await buy([sold]);
      await assign(sold.product_id, other.id, 1);
      assert.deepEqual(await ends(sold.group_id), [daysLater(30)]);
      assert.deepEqual(await ends(other.id), []);
      await buy([sold]);
      assert.deepEqual(await ends(other.id), [daysLater(1)]);
      await products().replace_access_groups(sold.product_id, { assignments: [] });
      assert.deepEqual(await ends(sold.group_id), [daysLater(30)]);
    });

    test('AG16: with its group, what orders gave is gone', async () => {
      const sold = await course();
      const id = await buy([sold]);
      await groups().delete(sold.group_id);
      await orders().update_status(id, { status: 'cancelled' });
      await orders().update_status(id, { status: 'pending' });
      assert.deepEqual(await app().client.customers.list_access_groups((await orders().get(id)).customer_id ?? 0), []);
    });

    const subscribed = async () => {
      const customer = await makeCustomer(app());
      const values = { order: { customer_id: customer.id, payment_status: 'pending', payment_provider: 'stripe' } };
      const { order, product } = await storeSubscriptionOrder(app().store, values);
      const { id: group_id } = await newGroup();
      await assign(product.id, group_id, 5);
      await orders().update_payment_status(order.id, { payment_status: 'paid' });
      return { order, product, customer, group_id };
    };

    test('AG11: a subscription gives access while it runs, and its order does not', async () => {
      const { order, group_id, customer } = await subscribed();
      assert.deepEqual(await groups().list_members(group_id), []);
      const object = subscriptionObject({ metadata: { order_id: String(order.id) } });
      const tell = async (values: object, second: number) => {
        const event = eventOf('customer.subscription.updated', { ...object, ...values }, { at: daysLater(second / 86_400) });
        assert.equal((await deliver(app(), event)).status, 200);
      };
      const periodEnd = Math.floor(NOON / 1000) + 10 * 86_400;
      const item = subscriptionObject({ item: { current_period_end: periodEnd } })['items'];
      const steps: [object, (string | null)[]][] = [
        [{}, [null]],
        [{ status: 'past_due' }, [null]],
        [{ status: 'unpaid' }, []],
        [{ status: 'trialing' }, [null]],
        [{ items: item, cancel_at_period_end: true, cancel_at: periodEnd }, [daysLater(10)]],
        [{}, [null]],
      ];
      for (const [n, [values, expected]] of steps.entries()) {
        await tell(values, n);
        assert.deepEqual(await ends(group_id), expected, `step ${n}`);
        assert.equal(await count(group_id), expected.length, `step ${n}`);
      }
      const [row] = await app().client.customers.list_access_groups(customer.id);
      const { data } = await app().client.subscriptions.list({ order_id: order.id });
      assert.deepEqual([row?.source, row?.source_id], ['subscription', data[0]?.id]);
      await orders().update_status(order.id, { status: 'cancelled' });
      assert.deepEqual(await ends(group_id), [null]);
      await tell({ status: 'canceled', ended_at: Math.floor(NOON / 1000), canceled_at: Math.floor(NOON / 1000) }, 60);
      assert.deepEqual([await ends(group_id), await count(group_id)], [[], 0]);
    });

    test('AG10, AG11, SU2: activated by hand it gives what was sold with its order, until it is cancelled', async () => {
      const { order, product, group_id } = await subscribed();
      const later = await newGroup();
      await assign(product.id, later.id);
      const ids = { external_subscription_id: `sub_given_${order.id}`, external_customer_id: 'cus' };
      const { id } = await app().client.subscriptions.activate(order.id, ids);
      assert.deepEqual(await ends(group_id), [null]);
      assert.deepEqual(await ends(later.id), []);
      await app().client.subscriptions.cancel(id);
      assert.deepEqual([await ends(group_id), await count(group_id)], [[], 0]);
    });

    test('ED17: of a paid order an added product gives access from then on, a removed one ends; others stay', async () => {
      const [kept, gone, added] = [await course(30), await course(30), await course(30)];
      const shared = await course(7, gone.group_id);
      const id = await buy([kept, gone, shared]);
      assert.deepEqual(await ends(gone.group_id), [daysLater(30)]);
      at(daysLater(1));
      const { items } = await orders().get(id);
      const lineOf = ({ product_id }: Course) => items.find((line) => line.product_id === product_id)?.id ?? assert.fail();
      await orders().edit(id, {
        items: [
          { id: lineOf(gone), quantity: 0 },
          { id: lineOf(kept), quantity: 5 },
          { variant_id: added.variant_id, quantity: 1 },
        ],
      });
      assert.deepEqual(await ends(kept.group_id), [daysLater(30)]);
      assert.deepEqual(await ends(gone.group_id), [daysLater(7)]);
      assert.deepEqual(await ends(added.group_id), [daysLater(31)]);
      await orders().edit(id, { items: [{ id: lineOf(shared), quantity: 0 }] });
      assert.deepEqual([await ends(gone.group_id), await count(gone.group_id)], [[], 0]);
    });

    test('ED17: before an order is paid an edit gives nothing; after a refund what is added waits for the payment', async () => {
      const [sold, added, late] = [await course(), await course(), await course()];
      const id = await buy([sold], { payment_status: 'none' });
      await orders().edit(id, { items: [{ variant_id: added.variant_id, quantity: 1 }] });
      assert.deepEqual(await ends(added.group_id), []);
      await orders().update_payment_status(id, { payment_status: 'paid' });
      assert.deepEqual([await ends(sold.group_id), await ends(added.group_id)], [[null], [null]]);
      await orders().update_payment_status(id, { payment_status: 'refunded' });
      await orders().update_payment_status(id, { payment_status: 'pending' });
      await orders().edit(id, { items: [{ variant_id: late.variant_id, quantity: 1 }] });
      assert.deepEqual(await ends(late.group_id), []);
      await orders().update_payment_status(id, { payment_status: 'paid' });
      assert.deepEqual([await ends(sold.group_id), await ends(late.group_id)], [[null], [null]]);
    });

    test('AG4: orders, grants and cancellations of one customer at once leave the count right', async () => {
      const sold = await course(30);
      const { id: customer_id } = await makeCustomer(app(), { email: 'busy@example.com' });
      const customer = { ...ann, email: 'busy@example.com' };
      const bought = await Promise.all(Array.from({ length: 6 }, () => buy([sold], { customer })));
      assert.equal(await count(sold.group_id), 1);
      await Promise.all([
        ...bought.map((id) => orders().update_status(id, { status: 'cancelled' })),
        groups().create_grant(sold.group_id, { customer_id, expires_at: daysLater(2) }),
      ]);
      assert.deepEqual([await count(sold.group_id), await ends(sold.group_id)], [1, [daysLater(2)]]);
      at(daysLater(2));
      assert.equal(await count(sold.group_id), 0);
      await Promise.all(bought.map((id) => orders().update_status(id, { status: 'pending' })));
      assert.deepEqual([await count(sold.group_id), (await ends(sold.group_id)).length], [1, 7]);
    });
  },
  { env: { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } },
);
