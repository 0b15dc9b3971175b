import type { Ctx } from '../../context.ts';
import type { Position, Reading } from '../../db/keyset.ts';
import type { Counted } from './count.ts';
import {
  dayAfter,
  dayOfRow,
  FAR,
  gatheringPath,
  hasDates,
  hasParts,
  isCounted,
  type Known,
  midnightOf,
  type OrderFilter,
  type Page,
  pagePath,
  spannedBy,
} from './rules.ts';
import * as store from './store.ts';

/** How many rows are skipped one by one, and how far a walk for a search may go instead of what its costs say. */
export type Patience = { far?: number; walk?: number };

/** The positions of the page and, where there is a next one, its first. What lies past the middle is read from the end. */
export async function keysOf(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  filter: OrderFilter,
  reading: Reading,
  known: Known,
  { total, ...counted }: Counted,
  { far = FAR, walk }: Patience = {},
): Promise<Position[]> {
  const begin = reading.after ? 0 : (reading.page - 1) * reading.perPage;
  const end = Math.min(total, begin + reading.perPage + 1);
  if (begin >= end) return [];
  const fromEnd = reading.after === null && begin > total - end;
  const window = { offset: fromEnd ? total - end : begin, limit: end - begin, fromEnd };
  const sort = sortOf(reading);
  if (sort === 'created_at' && window.offset > far && isCounted(filter) && !hasDates(filter)) {
    return keysFarAway(ctx, filter, reading, known, window);
  }
  const page = { sort, reach: window.offset + window.limit, total, byCustomer: filter.customerId !== null, ...known, ...counted };
  const { patience, ...path } = pagePath(page);
  const select = (more: Partial<store.Window>) => store.selectOrderKeys(ctx, filter, reading, { ...window, path, ...more });
  const limit = walk ?? patience;
  const isWalk = patience > 0 && path.search === 'each' && (counted.buyers !== null || hasParts(filter));
  if (!isWalk || limit >= known.all) return select({});
  const [until] = await store.selectOrderKeys(ctx, spannedBy(path.index, filter), reading, { path, fromEnd, offset: limit, limit: 1 });
  const keys = await select({ until });
  return keys.length === window.limit || !until ? keys : select({ path: gatheringPath(page) });
}

/** The counts by day tell the day on which the page begins. */
async function keysFarAway(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  filter: OrderFilter,
  reading: Reading,
  { narrowest }: Known,
  window: Omit<store.Window, 'path'>,
) {
  const descending = reading.descending !== window.fromEnd;
  const start = dayOfRow(await store.countByDay(ctx.db, filter, descending), window.offset);
  if (!start) return [];
  const bound = descending ? { createdBefore: midnightOf(dayAfter(start.day)) } : { createdFrom: midnightOf(start.day) };
  const path = { index: narrowest.index, search: 'each' } as const;
  return store.selectOrderKeys(ctx, { ...filter, ...bound }, reading, { ...window, path, offset: start.skip });
}

export function sortOf({ sort }: Reading): Page['sort'] {
  const key = sort.replace(/^-/, '');
  if (key === 'customer_name' || key === 'total' || key === 'status') return key;
  return 'created_at';
}
