import { printLabel } from '../../providers/courier/label-pdf.ts';
import type { Content } from '../../providers/files/file-store.ts';
import type { Services } from '../../services.ts';
import { notFound } from '../../verbs/problem.ts';
import { hasLabel } from './rules.ts';
import * as store from './store.ts';

/** `<key>.pdf`: the label of a parcel that the built-in courier carries. The PDF is made for each request and not stored. */
export async function openLabel(services: Pick<Services, 'store' | 'settings' | 'labelFonts'>, name: string): Promise<Content> {
  const key = /^(br_[0-9a-z]+)\.pdf$/.exec(name)?.[1];
  const { shipment, order, shopName } = await services.store.snapshot(async (db) => {
    const found = key === undefined ? null : await store.selectShipmentByKey(db, key);
    return {
      shipment: found,
      order: found && (await store.selectPublicId(db, found.order_id)),
      shopName: (await services.settings.get(db)).shop_name,
    };
  });
  const { parcel, provider, status, tracking_number: trackingNumber } = shipment ?? {};
  if (!parcel || !order || provider !== 'manual' || !status || status === 'purchasing' || !hasLabel(status) || !trackingNumber) {
    throw notFound('label', name);
  }
  const courierName = shipment?.courier_name ?? '';
  const { from, to, weight_grams: weightGrams } = parcel;
  const pdf = await printLabel({ shopName, from, to, courierName, orderNumber: order, trackingNumber, weightGrams }, services.labelFonts);
  return {
    sizeBytes: pdf.length,
    async *chunks() {
      yield pdf;
    },
    close: async () => undefined,
  };
}
