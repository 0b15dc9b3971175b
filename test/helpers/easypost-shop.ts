import assert from 'node:assert/strict';
import { createCouriers } from '../../server/providers/courier/couriers.ts';
import { requestRefunds } from '../../server/resources/label-refunds/domain.ts';
import { settlePurchases } from '../../server/resources/shipments/recovery.ts';
import type { TestApp } from './app.ts';
import { makeOrder, makeProduct, makeVariant } from './builders.ts';
import { EASYPOST_KEY, type EasypostDouble } from './easypost.ts';
import { servicesOf } from './services.ts';

const sender = { name: 'The Shop', line1: '1 Harbour Road', city: 'Graz', postal_code: '8010', country: 'AT', phone: '+43 1' };

/** The environment of a server that uses the double of EasyPost. */
export const easypostEnv = ({ url }: EasypostDouble) => ({
  EASYPOST_API_KEY: EASYPOST_KEY,
  EASYPOST_API_BASE: url,
  COURIER_TIMEOUT_SECONDS: '3',
});

/** What a shop does that sends its parcels with the double of EasyPost. */
export function easypostShop(app: () => TestApp, easypost: EasypostDouble) {
  const orders = () => app().client.orders;
  const buy = { courier_id: 'usps-priority', courier_name: '' };
  const useEasypost = () => app().client.settings.update({ courier: { provider: 'easypost', sender } });
  const opened = async (values: Parameters<typeof makeOrder>[1] = {}) => {
    const variant = await makeVariant(app(), { weight_grams: 250 });
    const digital = await makeVariant(app(), { product_id: (await makeProduct(app(), { kind: 'digital' })).id });
    const lines = [
      { variant, quantity: 2 },
      { variant: digital, quantity: 1 },
    ];
    const order = await makeOrder(app(), values, lines);
    const { shipment, courier_options: options } = await orders().create_shipment(order.id);
    const there = [...easypost.shipments.values()].at(-1);
    assert.ok(there);
    return { order, shipment, options, there, path: `/admin/api/orders/${order.id}/shipments/${shipment.id}` };
  };
  const ledgerOf = (id: string) => easypost.ledger.filter(({ shipment_id }) => shipment_id === id).length;
  const shipmentOf = async (orderId: number) => (await orders().list_shipments(orderId))[0];
  /** The server's loops, each of which a test runs once. With another time, a loop does what is due at that time. */
  const loops = () => {
    const couriers = createCouriers({ easypostApiKey: EASYPOST_KEY, easypostApiBase: easypost.url, timeoutMs: 3000 });
    return {
      settle: async (inMs = 0) => settlePurchases(await servicesOf(app().store), couriers, Date.now() + inMs),
      refund: async (inMs: number) => requestRefunds(await servicesOf(app().store), couriers, Date.now() + inMs),
    };
  };
  return { orders, buy, useEasypost, opened, ledgerOf, shipmentOf, loops };
}
