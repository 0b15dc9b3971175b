import type { ShipmentStatus } from '../../../contract/shipments.ts';
import type { Content } from '../../providers/courier/courier.ts';

/** `purchasing` is internal; the API shows it as `rates_fetched` (spec SH4). */
export type StoredStatus = ShipmentStatus | 'purchasing';

/** Whether the status is final, so that the courier need not be asked any more (spec SH6). */
export function isTerminal(status: StoredStatus): boolean {
  return status === 'delivered' || status === 'returned' || status === 'failed';
}

/** Whether a label was bought or may have been by now; deleting such a shipment requests a refund (spec SH8). */
export function hasLabel(status: StoredStatus): boolean {
  return status !== 'created' && status !== 'rates_fetched';
}

/**
 * The new status after a courier's report. A parcel that is on its way does not go back to `label_purchased` if the courier
 * has lost sight of it.
 */
export function statusReported(before: StoredStatus, reported: ShipmentStatus): StoredStatus {
  return reported === 'label_purchased' ? before : reported;
}

const neededOfAddress = ['line1', 'city', 'country'] as const;

/** The names of required address fields that are blank (spec SH2). */
export function missingAddressFields(address: Record<(typeof neededOfAddress)[number], string>): string[] {
  return neededOfAddress.filter((field) => address[field].trim() === '');
}

type Line = { product_name: string; quantity: number; subtotal: number; weight_grams: number };

/** The contents of the parcel. A piece whose variant has no weight gets the shop's default weight. */
export function contentsOf(lines: readonly Line[], defaultGrams: number): Content[] {
  return lines.map(({ product_name: description, quantity, subtotal: value, weight_grams: grams }) => ({
    description,
    quantity,
    value,
    weight_grams: quantity * (grams > 0 ? grams : defaultGrams),
  }));
}
