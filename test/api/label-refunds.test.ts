import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { createEasypostDouble, type Fate, passAll } from '../helpers/easypost.ts';
import { easypostEnv, easypostShop } from '../helpers/easypost-shop.ts';
import { until } from '../helpers/machines.ts';
import { newsOf } from '../helpers/news.ts';
import { codeOf } from '../helpers/runs.ts';

const easypost = createEasypostDouble();
before(() => easypost.listen());
after(() => easypost.close());

onBothStores(
  'refunds of labels at EasyPost',
  (app) => {
    const { orders, buy, useEasypost, opened, ledgerOf, loops } = easypostShop(app, easypost);
    beforeEach(async () => {
      easypost.decide(passAll);
      easypost.offer();
      await useEasypost();
    });

    const refundOf = async (orderId: number) =>
      app().store.reader.selectFrom('label_refunds').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
    const notificationsOf = async (orderId: number) =>
      (await newsOf(app(), 'label_refund_failed')).filter(({ metadata }) => metadata?.['order_id'] === orderId);

    test('SH8: the label of a deleted shipment is refunded once', async () => {
      const { order, shipment, there } = await opened();
      await orders().buy_label(order.id, shipment.id, buy);
      await orders().delete_shipment(order.id, shipment.id);
      assert.deepEqual(await orders().list_shipments(order.id), []);
      await until('the refund is requested', async () => (await refundOf(order.id)).status === 'done');
      assert.deepEqual(
        easypost.refunds.filter((id) => id === there.id),
        [there.id],
      );
      assert.deepEqual(await notificationsOf(order.id), []);
    });

    test('SH8: a failed request for a refund is repeated, each time later; the third failure notifies the admins once', async () => {
      const { order, shipment, there } = await opened();
      await orders().buy_label(order.id, shipment.id, buy);
      easypost.decide((moment) => (moment === 'refund' ? { status: 500 } : 'pass'));
      await orders().delete_shipment(order.id, shipment.id);
      await until('the first failure', async () => (await refundOf(order.id)).attempts === 1);
      assert.deepEqual(await notificationsOf(order.id), []);
      const { refund } = loops();
      await refund(15_000);
      assert.equal((await refundOf(order.id)).attempts, 2);
      await refund(20_000);
      assert.equal((await refundOf(order.id)).attempts, 2, 'not due yet');
      await refund(200_000);
      await refund(900_000);
      assert.equal((await refundOf(order.id)).attempts, 4);
      const [told, ...more] = await notificationsOf(order.id);
      assert.deepEqual([told?.severity, more], ['error', []]);
      assert.match(told?.message ?? '', new RegExp(`Order ${order.id}: .*${there.tracking_code}.* ${shipment.id}`));
      easypost.decide(passAll);
      await refund(10_000_000);
      assert.equal(easypost.requestIds.at(-1), undefined, 'a call that no request caused names no request id');
      assert.equal((await refundOf(order.id)).status, 'done');
      assert.equal(easypost.refunds.filter((id) => id === there.id).length, 1);
    });

    test('SH8: a refund whose answer was lost is found; one that EasyPost refuses is notified at once and not repeated', async () => {
      const lost = await opened();
      await orders().buy_label(lost.order.id, lost.shipment.id, buy);
      easypost.decide((moment) => (moment === 'refunded' ? 'cut' : 'pass'));
      await orders().delete_shipment(lost.order.id, lost.shipment.id);
      await until('the answer is lost', async () => (await refundOf(lost.order.id)).attempts === 1);
      await loops().refund(15_000);
      assert.equal((await refundOf(lost.order.id)).status, 'done');
      assert.deepEqual(await notificationsOf(lost.order.id), []);

      const denied = await opened();
      await orders().buy_label(denied.order.id, denied.shipment.id, buy);
      easypost.decide((moment) =>
        moment === 'refund' ? { status: 422, code: 'SHIPMENT.REFUND.UNAVAILABLE', message: 'Already used' } : 'pass',
      );
      await orders().delete_shipment(denied.order.id, denied.shipment.id);
      await until('it is refused', async () => (await refundOf(denied.order.id)).status === 'failed');
      assert.equal((await notificationsOf(denied.order.id)).length, 1);
    });

    test('SH8: if a shipment is deleted while its label is being bought, the label is refunded afterwards', async () => {
      const { order, shipment, there, path } = await opened();
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      easypost.decide(async (moment): Promise<Fate> => {
        if (moment === 'buy') reached.resolve();
        if (moment === 'buy') await held.promise;
        return 'pass';
      });
      const purchase = app().request({ method: 'POST', path: `${path}/buy-label`, body: buy });
      await reached.promise;
      await orders().delete_shipment(order.id, shipment.id);
      await loops().refund(0);
      assert.equal((await refundOf(order.id)).status, 'pending', 'the label is not bought yet');
      held.resolve();
      assert.deepEqual(codeOf(await purchase), [404, 'not_found']);
      assert.equal(ledgerOf(there.id), 1);
      // The server's own loop may hold it at the moment.
      await until('the label is refunded', async () => {
        await loops().refund(6000);
        return (await refundOf(order.id)).status === 'done';
      });
      assert.deepEqual(
        easypost.refunds.filter((id) => id === there.id),
        [there.id],
      );
    });
  },
  () => ({ env: easypostEnv(easypost) }),
);
