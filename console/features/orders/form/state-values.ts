import type { OrderDetail } from '../../../../contract/orders.ts';
import { orderWrites } from '../order-queries.ts';
import type { SavePart } from './save-parts.ts';

/** What the order has come to; each value has a call of its own. */
export type StateValues = Pick<OrderDetail, 'status' | 'payment_status' | 'tracking_number' | 'is_test'> & { delivery_date: string };

export function stateOf({ status, payment_status, tracking_number, is_test, delivery_date }: OrderDetail): StateValues {
  return { status, payment_status, delivery_date: delivery_date ?? '', tracking_number, is_test };
}

/** The calls that save what was changed. The status comes last: a cancelled order is not edited any more. */
export function stateParts(id: number, values: StateValues, base: StateValues): SavePart[] {
  const { status, payment_status, tracking_number, is_test, delivery_date } = values;
  const part = (names: readonly (keyof StateValues)[], send: SavePart['send']): SavePart[] =>
    names.some((name) => values[name] !== base[name]) ? [{ saves: (name) => names.some((one) => one === name), send }] : [];
  const isTracked = tracking_number !== base.tracking_number;
  const newStatus = status === base.status ? {} : { status };
  return [
    ...part(['is_test'], (options) => orderWrites.testFlag(id, { is_test }, options)),
    ...part(['delivery_date'], (options) => orderWrites.deliveryDate(id, { delivery_date: delivery_date || null }, options)),
    ...part(['payment_status'], (options) => orderWrites.paymentStatus(id, { payment_status }, options)),
    ...(isTracked
      ? part(['tracking_number', 'status'], (options) => orderWrites.shipping(id, { tracking_number, ...newStatus }, options))
      : part(['status'], (options) => orderWrites.status(id, { status }, options))),
  ];
}
