import type { ShipmentStatus } from '../../../contract/shipments.ts';
import type { Content } from '../../providers/courier/courier.ts';

/** `purchasing` is ours alone: outside it is still `rates_fetched` (decisions.md SH4). */
export type StoredStatus = ShipmentStatus | 'purchasing';

/** Nothing more will happen to it, whatever the courier is asked (decisions.md SH6). */
export function isTerminal(status: StoredStatus): boolean {
  return status === 'delivered' || status === 'returned' || status === 'failed';
}

/** Whether a label was bought, or may be by now: one that goes asks for its money back (decisions.md SH8). */
export function hasLabel(status: StoredStatus): boolean {
  return status !== 'created' && status !== 'rates_fetched';
}

/** A parcel that moves does not stand still again because the courier has lost sight of it. */
export function statusReported(before: StoredStatus, reported: ShipmentStatus): StoredStatus {
  return reported === 'label_purchased' ? before : reported;
}

const neededOfAddress = ['line1', 'city', 'country'] as const;

/** What a parcel cannot do without (decisions.md SH2). */
export function missingAddressFields(address: Record<(typeof neededOfAddress)[number], string>): string[] {
  return neededOfAddress.filter((field) => address[field].trim() === '');
}

type Line = { product_name: string; quantity: number; subtotal: number; weight_grams: number };

/** What is in the parcel; a piece whose variant has no weight counts as the shop's default. */
export function contentsOf(lines: readonly Line[], defaultGrams: number): Content[] {
  return lines.map(({ product_name: description, quantity, subtotal: value, weight_grams: grams }) => ({
    description,
    quantity,
    value,
    weight_grams: quantity * (grams > 0 ? grams : defaultGrams),
  }));
}
