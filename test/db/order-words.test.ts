import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Reading } from '../../server/db/queries/keyset.ts';
import type { Row } from '../../server/db/tables.ts';
import { keysOf } from '../../server/resources/order-lists/keys.ts';
import { findOrders } from '../../server/resources/order-lists/query-plan.ts';
import { anything, type OrderFilter } from '../../server/resources/order-lists/rules.ts';
import { selectNumbered } from '../../server/resources/order-lists/store.ts';
import { soughtForms } from '../../server/values/texts.ts';
import { type Sought, soughtIn, type Word } from '../../server/values/words.ts';
import { onBothStores } from '../helpers/app.ts';
import { insertRandomOrders } from '../helpers/random-orders.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';

const seed = chooseSeed();
const PER_PAGE = 4;

/** Whichever way `q` takes, by few or many buyers or by each order, it finds the same orders in the same order. */
onBothStores(`ways to the orders with all words, seed ${seed}`, (app) => {
  let rows: Row<'orders'>[] = [];
  before(async () => {
    const random = seeded(seed);
    await insertRandomOrders(app().store, random, 120);
    await app().store.write(async (db) => {
      const { rows: ids } = await sql<{ id: number }>`SELECT id FROM orders ORDER BY id`.execute(db);
      for (const { id } of ids) {
        if (random.below(3) === 0) continue;
        await sql`UPDATE orders SET phone_digits = ${`35320${random.below(10)}1${random.below(100)}`} WHERE id = ${id}`.execute(db);
      }
      rows = await db.selectFrom('orders').selectAll().execute();
    });
  });

  test('G20, O6: total and each page', async () => {
    const random = seeded(seed + 1);
    const anyRow = () => random.pick(rows);
    const makers = [
      () => String(anyRow().id),
      () => String(random.below(10)),
      () => anyRow().public_id.slice(0, 3 + random.below(4)),
      () => anyRow().customer_name.slice(0, 1 + random.below(4)),
      () => anyRow().customer_email.slice(-3),
      () => (anyRow().phone_digits ?? '123').slice(random.below(4)),
      () => '+353 20',
      () => `+${(anyRow().phone_digits ?? '35320911').replace(/(...)(..)(.*)/, '$1 $2 $3')}`,
      () => 'e',
      () => 'zzz',
    ];
    for (let i = 0; i < 120; i++) {
      const q = Array.from({ length: 1 + random.below(3) }, () => random.pick(makers)()).join(' ');
      const sought = soughtIn(q);
      const fitting = rows.filter((row) => row.is_test === 0 && sought.every((one) => has(row, one)));
      const name = random.pick(['created_at', 'total', 'customer_name_folded'] as const);
      const page = 1 + random.below(Math.ceil((fitting.length + 1) / PER_PAGE));
      const reading: Reading = {
        sort: name.replace('_folded', ''),
        column: { name, type: name === 'total' ? 'integer' : 'text' },
        descending: random.below(2) === 1,
        page,
        perPage: PER_PAGE,
        after: null,
      };
      const sign = reading.descending ? -1 : 1;
      const expected = fitting
        .toSorted((a, b) => sign * (a[name] === b[name] ? a.id - b.id : compare(a[name], b[name])))
        .slice((page - 1) * PER_PAGE, page * PER_PAGE + 1);
      await app().store.heavySnapshot(async (db) => {
        const at = { db, dialect: app().store.dialect };
        const filter: OrderFilter = { ...anything, tests: [0], sought, besides: await selectNumbered(at, sought) };
        const found = await findOrders(at, filter);
        for (const plan of [
          found.plan,
          { index: 'orders_by_buyer', search: 'many' },
          { index: 'orders_by_total', search: 'each' },
        ] as const) {
          for (const few of [0, 1000]) {
            const told = JSON.stringify({ seed, i, q, few, plan, reading, filter });
            assert.equal(found.total, fitting.length, told);
            assert.deepEqual(
              (await keysOf(at, filter, reading, { ...found, plan }, { few })).map(({ id }) => id),
              expected.map(({ id }) => id),
              told,
            );
          }
        }
      });
    }
  });
});

function has(row: Row<'orders'>, { words, digits }: Sought): boolean {
  const each = words.every((word) => hasWord(row, word));
  return each || (words.length > 1 && digits !== null && (row.phone_digits ?? '').includes(digits));
}

function hasWord(row: Row<'orders'>, { text, id, prefix, digits }: Word): boolean {
  const inTexts = soughtForms(text).some((form) => row.customer_name_folded.includes(form) || row.customer_email_folded.includes(form));
  return (
    inTexts ||
    row.id === id ||
    (prefix !== null && row.public_id.startsWith(prefix)) ||
    (digits !== null && (row.phone_digits ?? '').includes(digits))
  );
}

/** Compares as the stores do: numbers by value, text by code points. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
