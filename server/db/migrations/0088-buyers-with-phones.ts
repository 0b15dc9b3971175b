import type { Engine, Statement } from '../dialect.ts';
import { orderBuyers } from '../schema/order-buyers.ts';
import { createTriggers } from '../schema/upkeep.ts';

/** Searches of orders look at the distinct buyers on both engines, and at their phone numbers; the buyers are made of the orders anew. */

const create = (engine: Engine) => {
  const upkeep = orderBuyers[engine];
  // The triggers come before the rows: orders that others write wait for them, so that none is missed.
  return [...upkeep.tables, ...createTriggers(upkeep), ...upkeep.fill];
};

export const statements: readonly Statement[] = [
  `DROP INDEX IF EXISTS orders_by_phone`,
  {
    sqlite: [
      ...['insert', 'update', 'delete'].map((what) => `DROP TRIGGER IF EXISTS orders_buyers_${what}`),
      `DROP TABLE order_buyers`,
      `DROP TABLE order_buyers_trigrams`,
      `DROP INDEX orders_by_buyer`,
      ...create('sqlite'),
    ],
    postgres: [`DROP INDEX IF EXISTS orders_by_text`, `DROP INDEX orders_by_email`, ...create('postgres')],
  },
];
