import type { OrderStatus, PaymentProgress, PaymentStatus } from '../../../contract/orders.ts';
import { amountOf, dateOf, defined, flagOf, idOf, oneOf, textOf } from '../../parts/search.ts';

const statuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const satisfies readonly OrderStatus[];
const payments = ['none', 'pending', 'paid', 'refunded', 'failed'] as const satisfies readonly PaymentStatus[];
const progresses = ['unpaid', 'partial', 'paid', 'overpaid'] as const satisfies readonly PaymentProgress[];
/** What orders need of somebody, as the overview counts it. */
const needs = ['sending', 'attention'] as const;
const tabs = ['payments', 'shipments', 'history'] as const;
const sorts = ['customer_name', '-customer_name', 'total', '-total', 'status', '-status', 'created_at', '-created_at'] as const;

/** A part of an order's sheet; the first one is not named in the address. */
export type OrderTab = 'order' | (typeof tabs)[number];
export type OrderSort = (typeof sorts)[number];

/** Which orders are listed, and in which order. */
export type OrderFilters = {
  q?: string;
  number?: string;
  status?: OrderStatus;
  needs?: (typeof needs)[number];
  /** Without cancelled and refunded ones, as the calendar counts. */
  live?: true;
  payment?: PaymentStatus;
  progress?: PaymentProgress;
  /** The id of an internal status; `none`: orders without one. */
  internal?: number | 'none';
  customer?: number;
  from?: string;
  to?: string;
  delivery_from?: string;
  delivery_to?: string;
  no_date?: true;
  min?: string;
  max?: string;
  test?: 'too' | 'only';
  sort?: OrderSort;
};

/** What the address says of the list: the saved view, filters, place in it, and the order that is open. */
export type OrdersSearch = OrderFilters & { view?: number; cursor?: string; open?: number; tab?: (typeof tabs)[number] };

export { needs, payments, progresses, sorts, statuses };

/** Reads the address; what is not understood is left out rather than refused. */
export function readOrdersSearch(raw: Record<string, unknown>): OrdersSearch {
  return defined({
    view: idOf(raw['view']),
    ...readFilters(raw),
    cursor: textOf(raw['cursor']),
    open: idOf(raw['open']),
    tab: oneOf(tabs, raw['tab']),
  });
}

/** Reads filters from an address or a saved view. */
export function readFilters(raw: Record<string, unknown>): OrderFilters {
  const hasNoDate = flagOf(raw['no_date']);
  return defined({
    q: textOf(raw['q']),
    number: textOf(raw['number']),
    status: oneOf(statuses, raw['status']),
    needs: oneOf(needs, raw['needs']),
    live: flagOf(raw['live']),
    payment: oneOf(payments, raw['payment']),
    progress: oneOf(progresses, raw['progress']),
    internal: raw['internal'] === 'none' ? ('none' as const) : idOf(raw['internal']),
    customer: idOf(raw['customer']),
    from: dateOf(raw['from']),
    to: dateOf(raw['to']),
    delivery_from: hasNoDate ? undefined : dateOf(raw['delivery_from']),
    delivery_to: hasNoDate ? undefined : dateOf(raw['delivery_to']),
    no_date: hasNoDate,
    min: amountOf(raw['min']),
    max: amountOf(raw['max']),
    test: raw['test'] === true ? ('too' as const) : oneOf(['too', 'only'], raw['test']),
    sort: oneOf(sorts, raw['sort']),
  });
}

export type CalendarSearch = { month?: string; status?: OrderStatus };

export function readCalendarSearch(raw: Record<string, unknown>): CalendarSearch {
  const month = textOf(raw['month']);
  return defined({
    month: month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    status: oneOf(statuses, raw['status']),
  });
}
