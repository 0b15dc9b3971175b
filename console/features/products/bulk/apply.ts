import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallOptions } from '../../../../contract/calls.ts';
import type { BulkProduct, BulkVariant, ProductBulkChange } from '../../../../contract/product-bulk.ts';
import type { ProductStatus } from '../../../../contract/products.ts';
import { api, once } from '../../../api/client.ts';
import type { BulkResult } from '../../../parts/list/bulk-bar.tsx';

/** So many products at most are changed in one go. */
export const ACT_MAX = 1000;
/** So many products, or variants, at most go into one request. */
const PRODUCTS_MAX = 250;
const VARIANTS_MAX = 1000;

/** What a change would do to each of the products, as they are now. */
export function bulkPreview(ids: readonly number[], change: ProductBulkChange) {
  return queryOptions({
    queryKey: ['products.preview_bulk', ids, change],
    queryFn: () => inParts(ids, PRODUCTS_MAX, async (part) => (await api.products.preview_bulk({ ids: part, change })).products),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The options of one request after the other; a second try in the same order has no second effect. */
type Next = () => CallOptions;

export function requestsOf(key: string): Next {
  let sent = 0;
  return () => once(`${key} ${sent++}`);
}

export type Applied = {
  results: readonly BulkResult[];
  /** How many were archived instead of deleted. */
  archived: number;
  /** The products that are not there any more. */
  gone: ReadonlySet<number>;
  /** Takes back what was done, unless somebody has changed it since; left out where that is not possible. */
  undo?: (next: Next, reason: string) => Promise<BulkResult[]>;
};

const none = { archived: 0, gone: new Set<number>() };

/** Does what the preview has told: what is not any more as it was then is refused. */
export async function applyBulk(change: ProductBulkChange, products: readonly BulkProduct[], reason: string, next: Next): Promise<Applied> {
  switch (change.kind) {
    case 'status':
      return setStatuses(change.status, products, next);
    case 'delete':
      return remove(products, next);
    case 'price_set':
    case 'price_amount':
    case 'price_percent':
      return setPrices(changedVariants(products), next);
    case 'stock_set':
    case 'stock_add':
      return changeStocks(changedVariants(products), change.kind === 'stock_set', reason, next);
  }
}

async function setStatuses(status: ProductStatus, products: readonly BulkProduct[], next: Next): Promise<Applied> {
  const before = new Map<ProductStatus, number[]>();
  for (const { id, status: known } of products) {
    if (known !== null && known !== status) before.set(known, [...(before.get(known) ?? []), id]);
  }
  const results: BulkResult[] = [];
  for (const [from, ids] of before) results.push(...(await moveStatus(ids, from, status, next)));
  const done = doneIn(results);
  return {
    results: named(results, products),
    ...none,
    undo: async (again) => {
      const undone: BulkResult[] = [];
      for (const [from, ids] of before)
        undone.push(
          ...(await moveStatus(
            ids.filter((id) => done.has(id)),
            status,
            from,
            again,
          )),
        );
      return undone;
    },
  };
}

function moveStatus(ids: readonly number[], from: ProductStatus, to: ProductStatus, next: Next): Promise<BulkResult[]> {
  return inParts(
    ids,
    PRODUCTS_MAX,
    async (part) => (await api.products.bulk_status({ ids: part, status: to, from_status: from }, next())).results,
  );
}

async function remove(products: readonly BulkProduct[], next: Next): Promise<Applied> {
  const ids = products.filter(({ status }) => status !== null).map(({ id }) => id);
  const results = await inParts(ids, PRODUCTS_MAX, async (part) => (await api.products.bulk_delete({ ids: part }, next())).results);
  return {
    results: named(results, products),
    archived: results.filter(({ outcome }) => outcome === 'archived').length,
    gone: new Set(results.filter(({ outcome }) => outcome !== 'archived').map(({ id }) => id)),
  };
}

type Changed = BulkVariant & { after: number; name: string };

/** The variants that a change would make other than they are. */
export function changedVariants(products: readonly BulkProduct[]): Changed[] {
  return products.flatMap(({ name, variants }) =>
    variants.flatMap((variant) => {
      const { after } = variant;
      return after === null || after === variant.before
        ? []
        : [{ ...variant, after, name: [name, variant.label].filter(Boolean).join(', ') }];
    }),
  );
}

async function setPrices(variants: readonly Changed[], next: Next): Promise<Applied> {
  const send = (to: (variant: Changed) => { from: number; to: number }, of: readonly Changed[], requests: Next) =>
    inParts(of, VARIANTS_MAX, async (part) => {
      const prices = part.map((variant) => ({ id: variant.id, price_cents: to(variant).to, expected_price_cents: to(variant).from }));
      return (await api.products.bulk_prices({ prices }, requests())).results;
    });
  const results = await send(({ before, after }) => ({ from: before, to: after }), variants, next);
  const done = doneIn(results);
  return {
    results: named(results, variants),
    ...none,
    undo: (again) =>
      send(
        ({ before, after }) => ({ from: after, to: before }),
        variants.filter(({ id }) => done.has(id)),
        again,
      ),
  };
}

/** What is added is added to what is there then: a sale meanwhile does not hinder it. What is set must be as it was. */
async function changeStocks(variants: readonly Changed[], isSet: boolean, reason: string, next: Next): Promise<Applied> {
  const send = (of: readonly { id: number; from: number; to: number }[], why: string, requests: Next) =>
    inParts(of, VARIANTS_MAX, async (part) => {
      const changes = part.map(({ id, from, to }) => (isSet ? { id, stock: to, expected_stock: from } : { id, delta: to - from }));
      return (await api.products.bulk_stock({ changes, reason: why }, requests())).results;
    });
  const results = await send(
    variants.map(({ id, before, after }) => ({ id, from: before, to: after })),
    reason,
    next,
  );
  const done = doneIn(results);
  return {
    results: named(results, variants),
    ...none,
    undo: (again, why) =>
      send(
        variants.filter(({ id }) => done.has(id)).map(({ id, before, after }) => ({ id, from: after, to: before })),
        why,
        again,
      ),
  };
}

async function inParts<T, R>(items: readonly T[], most: number, send: (part: T[]) => Promise<readonly R[]>): Promise<R[]> {
  const all: R[] = [];
  for (let at = 0; at < items.length; at += most) all.push(...(await send(items.slice(at, at + most))));
  return all;
}

function named(results: readonly BulkResult[], records: readonly { id: number; name: string | null }[]): BulkResult[] {
  const names = new Map(records.map(({ id, name }) => [id, name]));
  return results.map((result) => ({ ...result, name: names.get(result.id) ?? `${result.id}` }));
}

export function doneIn(results: readonly BulkResult[]): ReadonlySet<number> {
  return new Set(results.filter(({ code }) => code === undefined).map(({ id }) => id));
}
