import fc from 'fast-check';
import type { OrderStatus } from '../../../contract/orders.ts';
import type { Session } from '../session.ts';

/** What a shop must show after the calls so far. Records are under their ids. */
export type Model = {
  pages: Map<number, { slug: string; title: string; published: boolean; meta_title: string }>;
  groups: Map<number, { slug: string; name: string; description: string | null; pages: number[] }>;
  customers: Map<number, Customer>;
  /** Customers that were deleted while orders needed their record. */
  forgotten: Set<number>;
  statuses: Map<number, { name: string }>;
  products: Map<number, { slug: string; name: string; status: 'draft' | 'active' | 'archived'; ordered: boolean }>;
  variants: Map<number, Variant>;
  orders: Map<number, Order>;
  tasks: Map<number, Task>;
  /** Who approves new versions. */
  policy: 'author' | 'second_admin';
};
export type Customer = {
  name: string;
  email: string;
  phone: string | null;
  registered: boolean;
  credits: number;
  notes: Map<number, string>;
};
export type Variant = {
  product_id: number;
  sku: string;
  price_cents: number;
  track_stock: boolean;
  allow_backorder: boolean;
  active: boolean;
  stock: number;
  ordered: boolean;
};
export type Order = {
  customer_id: number | null;
  email: string;
  status: OrderStatus;
  notes: string;
  internal_notes: string | null;
  internal_status_id: number | null;
  is_test: boolean;
  delivery_date: string | null;
  total: number;
  lines: { variant_id: number; quantity: number }[];
  /** The stock that the order still holds of each variant. */
  held: Map<number, number>;
};
export type Task = { name: string; description: string; deleted: boolean; versions: Map<number, Version>; current: number | null };
export type Version = {
  source_code: string;
  state: 'pending' | 'approved' | 'rejected' | 'revoked';
  author: Author /** The newest request for changes. */;
  asked: number | null;
};
/** The two admins who make and approve versions. */
export type Author = 'owner' | 'colleague';

/** One sequence: the shop, and the model that follows it. */
export type Play = { session: Session; model: Model; colleagueToken: string };
/** One step of a sequence. It does nothing where there is no record for it. */
export type ModelStep = (play: Play) => Promise<void>;
/** How a write is sent: with which ETag in If-Match, and whether twice under one Idempotency-Key. */
export type Manner = { match: 'none' | 'right' | 'stale' | 'any'; twice: boolean };

export function emptyModel(): Model {
  return {
    pages: new Map(),
    groups: new Map(),
    customers: new Map(),
    forgotten: new Set(),
    statuses: new Map(),
    products: new Map(),
    variants: new Map(),
    orders: new Map(),
    tasks: new Map(),
    policy: 'author',
  };
}

export const manner: fc.Arbitrary<Manner> = fc.record({
  match: fc.oneof(
    { weight: 5, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constantFrom('right' as const, 'stale' as const, 'any' as const) },
  ),
  twice: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
export const nth = fc.nat({ max: 30 });

/** Makes a step of what is chosen before the sequence runs. */
export function step<T>(
  chosen: { [Name in keyof T]: fc.Arbitrary<T[Name]> },
  play: (play: Play, chosen: T) => Promise<void>,
): fc.Arbitrary<ModelStep> {
  return fc.record(chosen).map((given) => (one) => play(one, given));
}

/** The nth record with its id; undefined where there is none. */
export function pick<T>(records: ReadonlyMap<number, T>, n: number): [id: number, record: T] | undefined {
  return records.size === 0 ? undefined : [...records][n % records.size];
}

/** An id that no record has. */
export const NOBODY = 424_242;

/** The steps of one kind of records: those that make records, which a sequence begins with, and all. */
export type Steps = { make: fc.Arbitrary<ModelStep>; all: fc.Arbitrary<ModelStep> };

type Some = readonly fc.Arbitrary<ModelStep>[];

export function stepsOf({ make, change, remove }: { make: Some; change: Some; remove: Some }): Steps {
  const [made, changed, removed] = [make, change, remove].map((some) => fc.oneof(...some));
  if (!made || !changed || !removed) throw new Error('there is a kind of step without a step');
  const weighted = [made, changed, removed].map((arbitrary, n) => ({ weight: [3, 8, 1][n] ?? 1, arbitrary }));
  return { make: made, all: fc.oneof(...weighted) };
}
