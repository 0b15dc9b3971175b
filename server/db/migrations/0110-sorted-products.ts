import type { Statement } from '../dialect.ts';
import { fillSortValues, sortIndexes } from '../schema/products.ts';

/** Products are sorted by price and stock. */
export const statements: readonly Statement[] = [
  `ALTER TABLE products ADD COLUMN sort_price INTEGER NOT NULL DEFAULT -1`,
  `ALTER TABLE products ADD COLUMN sort_stock INTEGER NOT NULL DEFAULT 9000000000000000`,
  fillSortValues,
  ...sortIndexes,
];
