import { sql } from 'kysely';
import { emailKey } from '../../../contract/emails.ts';
import type { Dialect } from '../dialect.ts';
import { type Folding, foldings } from '../folded-columns.ts';
import type { Db, Store } from '../open.ts';
import { foldedUpTo } from '../plain-texts.ts';
import { type Check, type Checked, FAULTS_SHOWN } from './check.ts';

/** What the searches of orders look at. On PostgreSQL a buyer may have several rows, whose sums may be 0. */
export function buyerChecks({ engine, indexedBy }: Pick<Dialect, 'engine' | 'indexedBy'>): readonly Check[] {
  const isSqlite = engine === 'sqlite';
  const trigrams = sql`UNION ALL SELECT 'buyer ' || b.id || ' is not in the index of trigrams' FROM order_buyers AS b
    WHERE NOT EXISTS (SELECT 1 FROM order_buyers_trigrams_docsize AS d WHERE d.id = b.id)`;
  const faults = sql<{ fault: string }>`
    SELECT 'the buyer of order ' || found.first || ': counted ' || coalesce(b.orders, 0) || ' orders and ' || coalesce(b.tests, 0)
        || ' tests, there are ' || found.orders || ' and ' || found.tests AS fault
      FROM (SELECT customer_email_folded AS email, customer_name_folded AS name, coalesce(phone_digits, '') AS phone, min(id) AS first,
          sum(1 - is_test) AS orders, sum(is_test) AS tests FROM orders ${indexedBy('orders_by_buyer')} GROUP BY 1, 2, 3) AS found
        LEFT JOIN (SELECT email_folded, name_folded, phone_digits, sum(orders) AS orders, sum(tests) AS tests FROM order_buyers
          GROUP BY 1, 2, 3) AS b ON b.email_folded = found.email AND b.name_folded = found.name AND b.phone_digits = found.phone
      WHERE b.orders IS NULL OR b.orders <> found.orders OR b.tests <> found.tests
    UNION ALL SELECT 'buyer ' || min(${isSqlite ? sql`b.id` : sql`CAST(b.ctid AS text)`}) || ': counted ' || sum(b.orders + b.tests)
        || ' orders, there is none' FROM order_buyers AS b
      WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_email_folded = b.email_folded AND customer_name_folded = b.name_folded
        AND coalesce(phone_digits, '') = b.phone_digits)
      GROUP BY b.email_folded, b.name_folded, b.phone_digits ${isSqlite ? sql`` : sql`HAVING sum(b.orders) <> 0 OR sum(b.tests) <> 0`}
    ${isSqlite ? trigrams : sql``}`;
  return [{ name: 'searches of orders know each buyer', faults }];
}

const PAGE = 1000;

/**
 * Whether the columns that searches look at hold what is made of the texts beside them. No SQL can fold a text, so every row is read, and
 * only a page of rows is in memory. Rows whose older form is still to be folded (`plain-texts.ts`) do not count.
 */
export async function checkFoldedTexts(store: Pick<Store, 'heavySnapshot'>): Promise<Checked> {
  const checked: Checked = { name: 'searches look at the texts that are stored', count: 0, faults: [] };
  for (const [table, folding] of Object.entries(foldings)) {
    await store.heavySnapshot(async (db) => {
      const last = await foldedUpTo(db, table);
      for (let after = 0; ; ) {
        const rows = await selectPage(db, table, folding, { after, last });
        for (const row of rows) {
          const wrong = wrongColumns(table, folding, row);
          if (wrong.length === 0) continue;
          checked.count += 1;
          if (checked.faults.length < FAULTS_SHOWN) checked.faults.push(`row ${row.id} of ${table}: ${wrong.join(', ')}`);
        }
        if (rows.length < PAGE) return;
        after = rows.at(-1)?.id ?? last;
      }
    });
  }
  return checked;
}

type Row = { id: number; [name: string]: string | number | null };
const KEY = 'email_key';

async function selectPage(db: Db, table: string, { of, columns }: Folding, { after, last }: { after: number; last: number }) {
  const names = [...of, ...Object.keys(columns({})), ...(table === 'customers' ? [KEY] : [])];
  const { rows } = await sql<Row>`
    SELECT id, ${sql.join(names.map((name) => sql.ref(name)))} FROM ${sql.table(table)}
    WHERE id > ${after} AND id <= ${last} ORDER BY id LIMIT ${PAGE}`.execute(db);
  return rows;
}

function wrongColumns(table: string, { of, columns }: Folding, row: Row): string[] {
  const made = columns(Object.fromEntries(of.map((name) => [name, textOf(row[name])])));
  const wrong = Object.keys(made).filter((name) => row[name] !== made[name]);
  return table === 'customers' && !hasItsKey(row) ? [...wrong, KEY] : wrong;
}

/** A customer has the key of the email, or that with the own id behind it if an older customer has the same one. */
function hasItsKey({ id, ...row }: Row): boolean {
  const key = emailKey(textOf(row['email']) ?? '');
  const stored = textOf(row[KEY]) ?? textOf(row['email_folded']) ?? '';
  return stored === key || stored === `${key} ${id}`;
}

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
