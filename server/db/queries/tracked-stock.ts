import { type RawBuilder, sql } from 'kysely';

/** What counts as little stock and as none: `stock` is the sum of a product's tracked variants, null where none is tracked. */

type Sql = RawBuilder<unknown>;

/** `threshold`: of products without one of their own. */
export function isLow({ stock, own, threshold }: { stock: Sql; own: Sql; threshold: Sql }): RawBuilder<boolean> {
  return sql<boolean>`${stock} BETWEEN 1 AND coalesce(${own}, ${threshold})`;
}

export function isOut(stock: Sql): RawBuilder<boolean> {
  return sql<boolean>`${stock} <= 0`;
}

/** Products that are not archived: the others have nothing to order again. */
export function isKept(status: Sql): RawBuilder<boolean> {
  return sql<boolean>`${status} <> 'archived'`;
}
