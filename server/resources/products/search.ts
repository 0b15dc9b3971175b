import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { IDS_MAX } from '../../../contract/orders.ts';
import type { FoundVariant } from '../../../contract/products.ts';
import { fold } from '../../../contract/values.ts';
import type { SortColumn } from '../../db/queries/keyset.ts';
import { sortKey } from '../../values/texts.ts';
import { wordsIn } from '../../values/words.ts';
import { changedPage } from '../../verbs/change-pages.ts';
import type { Ctx } from '../../verbs/context.ts';
import { readingOf, refuseTooMany, sortedPage, TIMES } from '../../verbs/list-pages.ts';
import * as store from './search-store.ts';

const sortColumns: Readonly<Record<string, SortColumn>> = {
  name: { name: 'name_folded', type: 'text' },
  price: { name: 'sort_price', type: 'integer' },
  stock: { name: 'sort_stock', type: 'integer' },
  ...TIMES,
};

export function listProducts(ctx: Ctx, query: InputOf<Endpoints['products.list']>['query']) {
  const filter = filterOf(ctx, query);
  if (query.after !== undefined) return changedPage(ctx, { ...query, after: query.after }, store.productChanges(ctx, filter));
  return sortedPage(query, query.sort, sortColumns, store.products(ctx, filter));
}

type ListFilters = InputOf<Endpoints['products.list_ids']>['query'];

/** The ids of all products that match, to start something on them. */
export async function listProductIds(ctx: Ctx, query: ListFilters) {
  const { keys, count } = store.products(ctx, filterOf(ctx, query));
  const total = await count();
  refuseTooMany('products', total, IDS_MAX);
  const found = await keys(readingOf({ per_page: IDS_MAX }, query.sort, sortColumns));
  return { ids: found.slice(0, IDS_MAX).map(({ id }) => id), total };
}

function filterOf(ctx: Ctx, query: Omit<ListFilters, 'sort'>): store.ProductFilter {
  return {
    searchFolded: fold(query.search ?? ''),
    words: wordsIn(query.q),
    status: query.status,
    kind: query.kind,
    lowBelow: query.low_stock ? ctx.settings.low_stock_threshold : null,
    isOut: query.out_of_stock,
    updatedSince: query.updated_since,
  };
}

/** Finds variants for somebody who picks one. A SKU that is typed in full comes first, because longer ones may begin with it. */
export async function searchVariants(
  ctx: Ctx,
  { search, on_sale: onSale, limit }: InputOf<Endpoints['products.search_variants']>['query'],
): Promise<FoundVariant[]> {
  const text = fold(search ?? '');
  const asked = { onSale, limit };
  const exact = text === '' ? [] : await store.selectIdsBySku(ctx.db, sortKey(search ?? ''), asked);
  const words = text.split(/\s+/).filter((word) => word !== '');
  const found = await store.selectIdsByWords(ctx, words, asked);
  const ids = [...new Set([...exact, ...found])].slice(0, limit);
  const byId = new Map((await store.selectFoundVariants(ctx.db, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
