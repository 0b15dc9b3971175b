import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';

const statuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const satisfies readonly OrderStatus[];
const payments = ['none', 'pending', 'paid', 'refunded', 'failed'] as const satisfies readonly PaymentStatus[];
const sorts = ['customer_name', '-customer_name', 'total', '-total', 'status', '-status', 'created_at', '-created_at'] as const;

/** What the address says of the list: filters, place in it, and the order that is open. */
export type OrdersSearch = {
  q?: string;
  status?: OrderStatus;
  payment?: PaymentStatus;
  from?: string;
  to?: string;
  min?: string;
  max?: string;
  test?: boolean;
  sort?: (typeof sorts)[number];
  cursor?: string;
  open?: number;
};

export { payments, statuses };

/** Reads the address; what is not understood is left out rather than refused. */
export function readOrdersSearch(raw: Record<string, unknown>): OrdersSearch {
  return withoutUndefined({
    q: textOf(raw['q']),
    status: oneOf(statuses, raw['status']),
    payment: oneOf(payments, raw['payment']),
    from: dateOf(raw['from']),
    to: dateOf(raw['to']),
    min: amountOf(raw['min']),
    max: amountOf(raw['max']),
    test: raw['test'] === true ? true : undefined,
    sort: oneOf(sorts, raw['sort']),
    cursor: textOf(raw['cursor']),
    open: typeof raw['open'] === 'number' && Number.isSafeInteger(raw['open']) && raw['open'] > 0 ? raw['open'] : undefined,
  });
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function oneOf<const T extends string>(list: readonly T[], value: unknown): T | undefined {
  return list.find((one) => one === value);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function dateOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
}

function amountOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d+(\.\d{1,3})?$/.test(text) ? text : undefined;
}
