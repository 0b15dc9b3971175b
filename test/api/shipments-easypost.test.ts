import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onBothStores, type RawAnswer, startApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { createEasypostDouble, EASYPOST_KEY, type Fate, passAll } from '../helpers/easypost.ts';
import { easypostEnv, easypostShop } from '../helpers/easypost-shop.ts';
import { until } from '../helpers/machines.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf } from '../helpers/runs.ts';
import { holdRequest } from '../helpers/stored-rows/faults.ts';

const easypost = createEasypostDouble();
before(() => easypost.listen());
after(() => easypost.close());

onBothStores(
  'shipments with EasyPost',
  (app) => {
    const { orders, buy, useEasypost, opened, ledgerOf, shipmentOf, loops } = easypostShop(app, easypost);
    beforeEach(async () => {
      easypost.decide(passAll);
      easypost.offer();
      await useEasypost();
    });

    /** A request whose key another server holds. It starts first, so that its wait of 5 s runs beside the other tests. */
    let waiting: Promise<RawAnswer>;
    before(async () => {
      const { id } = await makeOrder(app());
      await holdRequest(app().store, 'POST', `/orders/${id}/shipments`, 'held');
      waiting = app().request({ method: 'POST', path: `/admin/api/orders/${id}/shipments`, headers: { 'idempotency-key': 'held' } });
    });

    test('SH1, SH2: carrier rates are offered cheapest first; EasyPost gets addresses, weight in ounces and our reference', async () => {
      const { options, there, order } = await opened({ customer_name: 'Ana', shipping_line2: 'Door 5', customer_email: 'ana@example.com' });
      assert.deepEqual(options, [
        { courier_id: 'usps-groundadvantage', courier_name: 'USPS GroundAdvantage', cost: 593, delivery_estimate: '' },
        { courier_id: 'usps-priority', courier_name: 'USPS Priority', cost: 758, delivery_estimate: '2 days' },
        { courier_id: 'ups-nextdayair', courier_name: 'UPS NextDayAir', cost: 3010, delivery_estimate: '1 day' },
      ]);
      assert.match(there.reference ?? '', /^br_[0-9a-f]{36}$/);
      assert.deepEqual(there.parcel, { weight: 17.7 });
      assert.deepEqual(there.to_address, {
        name: 'Ana',
        street1: '1 High Street',
        street2: 'Door 5',
        city: 'Vienna',
        state: '',
        zip: '1010',
        country: 'AT',
        phone: '',
        email: 'ana@example.com',
      });
      assert.equal(there.from_address['street1'], '1 Harbour Road');
      assert.equal((await shipmentOf(order.id))?.status, 'rates_fetched');
      assert.equal(there.customs_info, undefined);
    });

    test('SH2: for a parcel to another country EasyPost also gets the customs declaration', async () => {
      const { there } = await opened({ shipping_country: 'CH' });
      assert.equal(there.customs_info?.customs_signer, 'The Shop');
      const [item, ...more] = there.customs_info?.customs_items ?? [];
      assert.deepEqual(more, []);
      assert.partialDeepStrictEqual(item, { quantity: 2, value: '20.00', weight: 17.7, origin_country: 'AT', currency: 'EUR' });
    });

    test('SH2: only rates in the order’s currency are offered, and the cheaper of two for the same service', async () => {
      const rate = { carrier: 'DHL', service: 'Express', delivery_days: 3 };
      easypost.offer([
        { ...rate, rate: '12.00', currency: 'EUR' },
        { ...rate, rate: '11.005', currency: 'EUR' },
        { ...rate, service: 'Dollars', rate: '1.00', currency: 'USD' },
      ]);
      const { options } = await opened();
      assert.deepEqual(options, [{ courier_id: 'dhl-express', courier_name: 'DHL Express', cost: 1101, delivery_estimate: '3 days' }]);
    });

    test('SH2: a courier that is down, slow or refuses is 502 courier_unavailable, and nothing is stored', async () => {
      const { id } = await makeOrder(app());
      for (const fate of ['cut', { status: 503 }, { status: 422, code: 'ADDRESS.VERIFY.FAILURE', message: 'Address not found' }] as const) {
        easypost.decide(() => fate);
        const error = await refused(orders().create_shipment(id), 502, 'courier_unavailable');
        if (fate !== 'cut' && fate.status === 422) assert.match(error.message, /Address not found/);
      }
      easypost.decide(() => new Promise<never>(() => undefined));
      await refused(orders().create_shipment(id), 502, 'courier_unavailable');
      assert.deepEqual(await orders().list_shipments(id), []);
    });

    test('SH1: the key in the settings is used before that of the environment; a missing sender is named', async () => {
      const { id } = await makeOrder(app());
      await app().client.settings.update({ courier: { easypost_api_key: 'wrong' } });
      const error = await refused(orders().create_shipment(id), 502, 'courier_unavailable');
      assert.match(error.message, /no longer active/);
      await app().client.settings.update({ courier: { easypost_api_key: null, sender: null } });
      assert.match((await refused(orders().create_shipment(id), 502, 'courier_unavailable')).message, /courier\.sender/);
    });

    test('an EasyPost message is shown on one line and without the key in any form', async () => {
      const { id } = await makeOrder(app());
      const basic = Buffer.from(`${EASYPOST_KEY}:`).toString('base64');
      for (const [status, said] of [
        [422, `Key ${EASYPOST_KEY}\nwith Basic ${basic} may not`],
        [503, `Key ${EASYPOST_KEY} is busy`],
        [422, `${'x'.repeat(300 - EASYPOST_KEY.length / 2)}${EASYPOST_KEY}`],
      ] as const) {
        easypost.decide(() => ({ status, message: said }));
        const { message } = await refused(orders().create_shipment(id), 502, 'courier_unavailable');
        for (const form of [EASYPOST_KEY.slice(0, 8), basic.slice(0, 8), '\n']) assert.ok(!message.includes(form), message);
        assert.match(message, /\*\*\*|x{280}/);
      }
    });

    test('SH3, SH5: a purchase is charged once and has the courier’s label, number and price', async () => {
      const { order, shipment, there, path } = await opened();
      const bought = await orders().buy_label(order.id, shipment.id, buy);
      assert.deepEqual(bought, {
        ...shipment,
        status: 'label_purchased',
        courier_id: 'usps-priority',
        courier_name: 'USPS Priority',
        cost_cents: 758,
        tracking_number: there.tracking_code,
        label_url: `https://labels.example/${there.id}.png`,
      });
      assert.equal((await orders().get(order.id)).tracking_number, there.tracking_code);
      assert.equal((await app().request({ method: 'POST', path: `${path}/buy-label`, body: buy })).status, 409);
      assert.equal(ledgerOf(there.id), 1);
    });

    test('EasyPost gets the id of the request that caused each call', async () => {
      const { path } = await opened();
      const before = easypost.requestIds.length;
      const named = `parcel-${app().engine}`;
      const headers = { 'x-request-id': named };
      assert.equal((await app().request({ method: 'POST', path: `${path}/buy-label`, body: buy, headers })).status, 200);
      assert.deepEqual(new Set(easypost.requestIds.slice(before)), new Set([named]));
      const refreshed = await app().request({ method: 'POST', path: `${path}/refresh` });
      assert.equal(easypost.requestIds.at(-1), refreshed.headers['x-request-id']);
    });

    test('SH4: during a purchase the shipment shows rates_fetched, and another purchase is 409', async () => {
      const { order, shipment, there } = await opened();
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      easypost.decide(async (moment): Promise<Fate> => {
        if (moment === 'buy') reached.resolve();
        if (moment === 'buy') await held.promise;
        return 'pass';
      });
      const first = orders().buy_label(order.id, shipment.id, buy);
      await reached.promise;
      assert.deepEqual(await shipmentOf(order.id), shipment);
      await refused(orders().buy_label(order.id, shipment.id, buy), 409, 'label_already_purchased');
      await refused(orders().refresh_shipment(order.id, shipment.id), 409, 'no_label');
      await loops().settle();
      assert.deepEqual(await shipmentOf(order.id), shipment);
      held.resolve();
      assert.equal((await first).status, 'label_purchased');
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: of simultaneous purchases at two servers one succeeds', async () => {
      const { order, there, path } = await opened();
      const other = await startApp(app().engine, { databaseUrl: app().databaseUrl, env: easypostEnv(easypost) });
      const request = { method: 'POST', path: `${path}/buy-label`, body: buy };
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? app() : other).request(request)));
      await other.close();
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)]);
      assert.equal((await shipmentOf(order.id))?.status, 'label_purchased');
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: after a purchase that the courier refuses another offer can be bought', async () => {
      const { order, shipment, there } = await opened();
      easypost.decide((moment) => (moment === 'buy' ? { status: 402, code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds' } : 'pass'));
      const error = await refused(orders().buy_label(order.id, shipment.id, buy), 502, 'courier_unavailable');
      assert.match(error.message, /Insufficient funds/);
      assert.deepEqual(await shipmentOf(order.id), shipment);
      easypost.decide(passAll);
      assert.equal((await orders().buy_label(order.id, shipment.id, { ...buy, courier_id: 'ups-nextdayair' })).cost_cents, 3010);
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: if the answer to a purchase is lost, its label is found by our reference', async () => {
      const { order, shipment, there } = await opened();
      easypost.decide((moment) => (moment === 'bought' ? 'cut' : 'pass'));
      assert.equal((await orders().buy_label(order.id, shipment.id, buy)).tracking_number, there.tracking_code);
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: if the courier fails after the purchase, it is 502, and the server stores the label later', async () => {
      const { order, shipment, there } = await opened();
      easypost.decide((moment) => (moment === 'bought' || moment === 'retrieve' ? 'cut' : 'pass'));
      await refused(orders().buy_label(order.id, shipment.id, buy), 502, 'courier_unavailable');
      assert.deepEqual(await shipmentOf(order.id), shipment);
      easypost.decide(passAll);
      const settled = await until('the purchase is settled', async () => {
        const now = await shipmentOf(order.id);
        return now?.status === 'label_purchased' && now;
      });
      assert.deepEqual([settled.tracking_number, settled.cost_cents], [there.tracking_code, 758]);
      assert.equal((await orders().get(order.id)).tracking_number, there.tracking_code);
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: after such a 502 a repeat buys no second label, even with another courier', async () => {
      const { order, shipment, there } = await opened();
      easypost.decide((moment) => (moment === 'bought' || moment === 'retrieve' ? 'cut' : 'pass'));
      await refused(orders().buy_label(order.id, shipment.id, buy), 502, 'courier_unavailable');
      easypost.decide(passAll);
      const other = orders().buy_label(order.id, shipment.id, { ...buy, courier_id: 'ups-nextdayair' });
      await refused(other, 409, 'label_already_purchased');
      await until('it is settled', async () => (await shipmentOf(order.id))?.courier_id === 'usps-priority');
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH4: a purchase that never reached the courier is given up after a while, and can be repeated', async () => {
      const { order, shipment, there } = await opened();
      easypost.decide((moment) => (moment === 'buy' ? 'cut' : 'pass'));
      await refused(orders().buy_label(order.id, shipment.id, buy), 502, 'courier_unavailable');
      const statusIn = async () =>
        (await app().store.reader.selectFrom('shipments').select('status').where('id', '=', shipment.id).executeTakeFirstOrThrow()).status;
      assert.equal(await statusIn(), 'purchasing');
      await loops().settle();
      assert.equal(await statusIn(), 'purchasing');
      await until('it is given up', async () => {
        await loops().settle(5000);
        return (await statusIn()) === 'rates_fetched';
      });
      easypost.decide(passAll);
      assert.equal((await orders().buy_label(order.id, shipment.id, buy)).status, 'label_purchased');
      assert.equal(ledgerOf(there.id), 1);
    });

    test('SH6, SH7: refresh shows the courier’s status and tracking events; a delivered parcel is not asked about again', async () => {
      const { order, shipment, there } = await opened();
      await orders().buy_label(order.id, shipment.id, buy);
      const detail = {
        object: 'TrackingDetail',
        message: 'Arrived at hub',
        description: '',
        status: 'in_transit',
        datetime: '2026-03-02T10:00:00Z',
        tracking_location: { city: 'Linz', state: null, country: 'AT', zip: null },
      };
      const statuses = [
        ['pre_transit', 'label_purchased'],
        ['out_for_delivery', 'in_transit'],
        ['unknown', 'in_transit'],
        ['available_for_pickup', 'in_transit'],
        ['delivered', 'delivered'],
      ] as const;
      for (const [theirs, ours] of statuses) {
        there.tracker = { status: theirs, tracking_details: [detail] };
        const { status, tracking_events: events } = await orders().refresh_shipment(order.id, shipment.id);
        assert.equal(status, ours, theirs);
        assert.deepEqual(events, [
          { at: '2026-03-02T10:00:00.000Z', status: 'in_transit', description: 'Arrived at hub', location: 'Linz, AT' },
        ]);
      }
      const asked = easypost.seen.length;
      assert.equal((await orders().refresh_shipment(order.id, shipment.id)).status, 'delivered');
      assert.equal(easypost.seen.length, asked);
      assert.equal((await orders().get(order.id)).status, 'pending');
    });

    test('SH7: after returned and failed the status does not change any more', async () => {
      for (const [theirs, ours] of [
        ['return_to_sender', 'returned'],
        ['failure', 'failed'],
      ] as const) {
        const { order, shipment, there } = await opened();
        await orders().buy_label(order.id, shipment.id, buy);
        there.tracker = { status: theirs, tracking_details: [] };
        assert.equal((await orders().refresh_shipment(order.id, shipment.id)).status, ours);
        there.tracker = { status: 'in_transit', tracking_details: [] };
        assert.equal((await orders().refresh_shipment(order.id, shipment.id)).status, ours);
      }
    });

    test('SH6: if the courier fails during a refresh, it is 502, and nothing changes', async () => {
      const { order, shipment } = await opened();
      const bought = await orders().buy_label(order.id, shipment.id, buy);
      easypost.decide(() => ({ status: 500 }));
      await refused(orders().refresh_shipment(order.id, shipment.id), 502, 'courier_unavailable');
      assert.deepEqual(await shipmentOf(order.id), bought);
    });

    test('IK4: if the first request with a key fails, the one waiting for it is carried out', async () => {
      const { order, path } = await opened();
      const reached = Promise.withResolvers<void>();
      easypost.decide((moment) => {
        if (moment !== 'rates') return 'pass';
        reached.resolve();
        return new Promise<never>(() => undefined);
      });
      const send = () => app().request({ method: 'POST', path: path.replace(/\/\d+$/, ''), headers: { 'idempotency-key': 'k' } });
      const first = send();
      await reached.promise;
      const second = send();
      assert.deepEqual(codeOf(await first), [502, 'courier_unavailable']);
      easypost.decide(passAll);
      const answer = await second;
      assert.deepEqual([answer.status, answer.headers['idempotency-replayed']], [201, undefined]);
      assert.equal((await orders().list_shipments(order.id)).length, 2);
    });

    test('IK4: a request that waited 5 s for its key is 409 idempotency_in_progress with Retry-After', async () => {
      const answer = await waiting;
      assert.deepEqual([...codeOf(answer), answer.headers['retry-after']], [409, 'idempotency_in_progress', '1']);
    });
  },
  () => ({ env: easypostEnv(easypost) }),
);
