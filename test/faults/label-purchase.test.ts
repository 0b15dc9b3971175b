import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Shipment } from '../../contract/shipments.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { OWNER_TOKEN } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { EASYPOST_KEY, type EasypostDouble, type Fate, openEasypostDouble, passAll } from '../helpers/easypost.ts';
import { passAll as passAllRequests } from '../helpers/fault-proxy.ts';
import { type Machines, startMachines, until } from '../helpers/machines.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

/**
 * SIGKILL ends the server at every point of two purchases. The request for one is repeated with its Idempotency-Key; the other is left
 * to the next server. The courier's own ledger has each purchase once.
 */
describe('SH4: a server that is killed while it buys a label', { concurrency: true, timeout: 480_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, { concurrency: 1 }, () => suite(engine));
});

type Parcel = { orderId: number; shipmentId: number; key: string };
type Answer = { status: number; body: unknown };

const points = ['not asked yet', 'selling', 'answered', 'stored'] as const;
type Point = (typeof points)[number];
type Pair = { repeated: Parcel; left: Parcel };

function suite(engine: Engine): void {
  let machines: Machines;
  let easypost: EasypostDouble;

  before(async () => {
    easypost = await openEasypostDouble();
    machines = await startMachines(engine, {
      EASYPOST_API_KEY: EASYPOST_KEY,
      EASYPOST_API_BASE: easypost.url,
      COURIER_TIMEOUT_SECONDS: '5',
      LEASE_SECONDS: '3',
    });
    const sender = { name: 'The Shop', line1: '1 Harbour Road', city: 'Graz', postal_code: '8010', country: 'AT' };
    await machines.client.settings.update({ courier: { provider: 'easypost', sender } });
  });
  after(async () => {
    await machines.close();
    await easypost.close();
  });

  async function open(): Promise<Parcel> {
    const { id: orderId } = await makeOrder(machines);
    const { shipment } = await machines.client.orders.create_shipment(orderId);
    return { orderId, shipmentId: shipment.id, key: `buy-${shipment.id}` };
  }

  /** Sends the purchase; null if no answer came. */
  async function buy({ orderId, shipmentId, key }: Parcel): Promise<Answer | null> {
    try {
      const answer = await fetch(`${machines.proxy.url}/admin/api/orders/${orderId}/shipments/${shipmentId}/buy-label`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ courier_id: 'usps-priority', courier_name: '' }),
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return null;
    }
  }

  /** Repeats the request as a client does that obeys Retry-After. */
  const repeat = (parcel: Parcel): Promise<Answer> =>
    until('the repeat is answered', async () => {
      const answer = await buy(parcel);
      const code = answer && typeof answer.body === 'object' && answer.body && 'code' in answer.body ? answer.body.code : undefined;
      return answer !== null && code !== 'idempotency_in_progress' && answer;
    });

  const seen = async ({ orderId }: Parcel): Promise<Shipment | undefined> => (await machines.client.orders.list_shipments(orderId))[0];

  async function referenceOf({ shipmentId }: Parcel): Promise<string | null> {
    const query = machines.store.reader.selectFrom('shipments').select('provider_key').where('id', '=', shipmentId);
    return (await query.executeTakeFirstOrThrow()).provider_key;
  }

  async function purchasesOf(parcel: Parcel): Promise<number> {
    const key = await referenceOf(parcel);
    return easypost.ledger.filter(({ reference }) => reference === key).length;
  }

  async function restart(): Promise<void> {
    await machines.server().stop('SIGKILL');
    await machines.startServer();
  }

  /** Checks that the label was bought once: at the courier, in the audit log and events, and on the order. */
  async function assertBoughtOnce(parcel: Parcel): Promise<void> {
    const shipment = await seen(parcel);
    assert.deepEqual([shipment?.status, shipment?.cost_cents, shipment?.courier_id], ['label_purchased', 758, 'usps-priority']);
    assert.equal(await purchasesOf(parcel), 1, 'the courier’s ledger must have one purchase');
    assert.equal((await machines.client.orders.get(parcel.orderId)).tracking_number, shipment?.tracking_number);
    const audit = machines.store.reader.selectFrom('audit_log').select('changes').where('action', '=', 'orders.buy_label');
    const entries = await audit.where('resource_type', '=', 'shipment').where('resource_id', '=', parcel.shipmentId).execute();
    assert.equal(entries.filter(({ changes }) => changes.includes('label_purchased')).length, 1, 'the audit log must have one purchase');
    const events = await machines.store.reader
      .selectFrom('domain_events')
      .select('data')
      .where('type', '=', 'shipment.label_purchased')
      .execute();
    assert.equal(
      events.filter(({ data }) => JSON.parse(data).shipment_id === parcel.shipmentId).length,
      1,
      'there must be one event of the purchase',
    );
  }

  async function assertSettled({ repeated, left }: Pair): Promise<void> {
    const answer = await repeat(repeated);
    assert.deepEqual([answer.status, answer.body], [200, await seen(repeated)]);
    await assertBoughtOnce(repeated);
    await until('the purchase that nobody asks for again is settled', async () => (await seen(left))?.status === 'label_purchased');
    await assertBoughtOnce(left);
    const late = await repeat(left);
    assert.deepEqual([late.status, late.body], [200, await seen(left)], 'a later request must get the same answer');
    await assertBoughtOnce(left);
  }

  const pairs = new Map<Point, Pair>();
  const pairAt = (point: Point): Pair => {
    const pair = pairs.get(point);
    assert.ok(pair);
    return pair;
  };
  const parcelsAt = (point: Point): Parcel[] => [pairAt(point).repeated, pairAt(point).left];
  const statusOf = async ({ shipmentId }: Parcel): Promise<string> => {
    const query = machines.store.reader.selectFrom('shipments').select('status').where('id', '=', shipmentId);
    return (await query.executeTakeFirstOrThrow()).status;
  };

  before(async () => {
    for (const point of points) pairs.set(point, { repeated: await open(), left: await open() });
    const pointOf = new Map<string | null, Point>();
    for (const point of points) for (const parcel of parcelsAt(point)) pointOf.set(await referenceOf(parcel), point);

    // The last point comes first: the purchase is stored, and the answer is lost on its way to the client.
    machines.proxy.decide(({ path }) => (path.endsWith('/buy-label') ? 'cut_after' : 'pass'));
    assert.deepEqual(await Promise.all(parcelsAt('stored').map(buy)), [null, null]);
    machines.proxy.decide(passAllRequests);

    const there = { asked: 0, sold: 0 };
    const dead = Promise.withResolvers<Fate>();
    const answered = Promise.withResolvers<Fate>();
    easypost.decide((moment, shipment) => {
      const point = pointOf.get(shipment?.reference ?? null);
      if (moment === 'bought' && point === 'answered') there.sold += 1;
      if (moment === 'bought') return point === 'answered' ? answered.promise : 'pass';
      if (moment !== 'buy' || point === 'answered') return 'pass';
      there.asked += 1;
      return point === 'selling' ? dead.promise : new Promise<never>(() => undefined);
    });
    const waiting = [...parcelsAt('not asked yet'), ...parcelsAt('selling'), ...parcelsAt('answered')];
    const sent = Promise.all(waiting.map(buy));
    await until('all are at their points', () => there.asked === 4 && there.sold === 2);

    // While this transaction is open, the server cannot store the courier's answers.
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const lock = machines.store.write(async (db) => {
      const ids = sql.join(waiting.map(({ orderId }) => orderId));
      await sql`SELECT id FROM orders WHERE id IN (${ids}) ${machines.store.dialect.forUpdate}`.execute(db);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    answered.resolve('pass');
    // Long enough for two answers to arrive. If the time were too short, these two would be the case `selling`.
    await delay(300);
    await machines.server().stop('SIGKILL');
    released.resolve();
    await lock;
    assert.deepEqual(
      await sent,
      waiting.map(() => null),
    );
    for (const parcel of waiting) assert.equal(await statusOf(parcel), 'purchasing');
    dead.resolve('pass');
    await until('what was being sold is sold', () => easypost.ledger.length === 6);
    easypost.decide(passAll);
    await machines.startServer();
  });

  test('before the courier is asked: a repeated request buys the label; without one the purchase is given up, and the label can be bought again', async () => {
    const { repeated, left } = pairAt('not asked yet');
    const answer = await repeat(repeated);
    assert.deepEqual([answer.status, answer.body], [200, await seen(repeated)]);
    await assertBoughtOnce(repeated);
    await until('the purchase is given up', async () => (await statusOf(left)) === 'rates_fetched');
    assert.equal(await purchasesOf(left), 0);
    assert.equal((await repeat({ ...left, key: 'another' })).status, 200);
    await assertBoughtOnce(left);
  });

  test('while the courier sells: the next server finds what the courier sold', () => assertSettled(pairAt('selling')));

  test("after the courier's answer and before it is stored: each label is bought once", () => assertSettled(pairAt('answered')));

  test('after the purchase is stored and before the client has its answer: each label is bought once', () =>
    assertSettled(pairAt('stored')));

  test('at any moment, again and again: there is never more than one purchase, and in the end exactly one', async () => {
    const ROUNDS = 2;
    const parcels = await Promise.all(Array.from({ length: 4 }, () => open()));
    for (let round = 0; round < ROUNDS; round += 1) {
      const sent = parcels.map((parcel) => buy(parcel));
      await delay(round * 25);
      await restart();
      await Promise.all(sent);
    }
    for (const parcel of parcels) {
      assert.equal((await repeat(parcel)).status, 200);
      await assertBoughtOnce(parcel);
    }
  });
}
