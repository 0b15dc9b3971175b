import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CallOptions } from '../../../contract/calls.ts';
import type { OrderComment } from '../../../contract/comments.ts';
import { api } from '../../api/client.ts';
import { queryOf, recordQuery } from '../queries.ts';
import { defined, oneOf } from '../search.ts';

export type TimelineOf = 'order' | 'customer';

const PER_PAGE = 30;
const MINUTE_MS = 60_000;

const orderFilters = ['comment', 'change', 'payment', 'shipment', 'mail', 'run'] as const;
const customerFilters = ['comment', 'change', 'order', 'mail', 'access', 'credit', 'file', 'inquiry', 'subscription', 'run'] as const;
export type TimelineFilter = (typeof orderFilters | typeof customerFilters)[number];

/** What can be left of each timeline. */
export const filtersOf: Record<TimelineOf, readonly TimelineFilter[]> = { order: orderFilters, customer: customerFilters };

/** The permission that entries of a kind need besides reading the record. */
export const permissionOf: Partial<Record<TimelineFilter, string>> = {
  mail: 'admin_api.logs.read',
  run: 'admin_api.logs.read',
  order: 'admin_api.orders.read',
  inquiry: 'admin_api.inquiries.read',
  subscription: 'admin_api.subscriptions.read',
};

const pages = {
  order: (id: number, kind: string | undefined, cursor: string | undefined) =>
    api.orders.timeline(id, { per_page: PER_PAGE, ...defined({ kind: oneOf(orderFilters, kind), cursor }) }),
  customer: (id: number, kind: string | undefined, cursor: string | undefined) =>
    api.customers.timeline(id, { per_page: PER_PAGE, ...defined({ kind: oneOf(customerFilters, kind), cursor }) }),
};

/** The timeline of one record, page by page; `kind`: only entries of this kind. */
export function timelineQuery(of: TimelineOf, id: number, kind: TimelineFilter | undefined) {
  return infiniteQueryOptions({
    queryKey: [`${of}s.timeline`, id, kind ?? null],
    queryFn: ({ pageParam }) => pages[of](id, kind, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

type Stored = Pick<OrderComment, 'id' | 'body'>;

type CommentCalls = {
  /** The resource whose pages show it. */
  resource: string;
  read(of: number, id: number): Promise<Stored>;
  create(of: number, body: string, options: CallOptions): Promise<Stored>;
  update(of: number, id: number, body: string, options: CallOptions): Promise<Stored>;
  remove(of: number, id: number): Promise<unknown>;
};

/** How comments on each kind of record are written; those on a customer are notes. */
export const comments: Record<TimelineOf, CommentCalls> = {
  order: {
    resource: 'orders',
    read: api.orders.get_comment,
    create: (of, body, options) => api.orders.create_comment(of, { body }, options),
    update: (of, id, body, options) => api.orders.update_comment(of, id, { body }, options),
    remove: api.orders.delete_comment,
  },
  customer: {
    resource: 'customers',
    read: api.customers.get_note,
    create: (of, body, options) => api.customers.create_note(of, { body }, options),
    update: (of, id, body, options) => api.customers.update_note(of, id, { body }, options),
    remove: api.customers.delete_note,
  },
};

export function commentRecord(of: TimelineOf, recordId: number, id: number) {
  return recordQuery([`${of}s.comment`, recordId, id], () => comments[of].read(recordId, id));
}

/** The names of internal statuses. */
export const internalStatuses = queryOf('order_statuses.list', api.order_statuses.list, { staleTime: MINUTE_MS })({ per_page: 100 });
