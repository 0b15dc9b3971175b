import type { ErrorItem } from '../../../contract/errors.ts';
import { type PhoneOrderPayload, QUANTITY_MAX } from '../../../contract/order-edits.ts';
import { groupPrice } from '../discount-groups/rules.ts';
import { describe, type ForSale, fault, fieldFaults, type Line, variantFaults } from '../order-lines/rules.ts';

/**
 * The lines of a phone order at the customer's prices. Items with the same variant and the same field values become one line
 * (spec PH3). Returns all faults.
 */
export function linesFor(
  items: PhoneOrderPayload['items'],
  variants: ReadonlyMap<number, ForSale>,
  groupDiscountBps: number,
): { lines: Line[]; faults: ErrorItem[] } {
  const faults: ErrorItem[] = [];
  const merged = new Map<string, Line>();
  for (const [index, { variant_id, quantity, custom_field_values: fields = [], ...rest }] of items.entries()) {
    rest satisfies Record<string, never>;
    const variant = variants.get(variant_id);
    const found = variantFaults(variant, variant_id, `/items/${index}/variant_id`);
    if (variant) found.push(...fieldFaults(variant, fields, `/items/${index}/custom_field_values`));
    faults.push(...found);
    if (!variant || found.length > 0) continue;
    const key = JSON.stringify([variant_id, fields]);
    const known = merged.get(key);
    const total = quantity + (known?.quantity ?? 0);
    if (total > QUANTITY_MAX)
      faults.push(fault('out_of_range', `/items/${index}/quantity`, `an order may have at most ${QUANTITY_MAX} of one variant`));
    const unit_price = groupPrice(variant.price_cents, groupDiscountBps);
    merged.set(key, { ...describe(variant), unit_price, quantity: total, custom_fields: fields });
  }
  return { lines: [...merged.values()], faults };
}

/** The status of a new order by its payment status (spec PH7). */
export function resultingStatus(paymentStatus: PhoneOrderPayload['payment_status']): 'processing' | 'pending' {
  return paymentStatus === 'paid' ? 'processing' : 'pending';
}
