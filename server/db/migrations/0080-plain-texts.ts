import { sql } from 'kysely';
import { foldAdminEmail } from '../../values/stored-emails.ts';
import { sortKey } from '../../values/texts.ts';
import type { At } from '../open.ts';
import { beginPlainTexts, updateTexts } from '../plain-texts.ts';
import { beyondAscii } from '../queries/columns.ts';

/**
 * Searches leave marks away, and `q` looks at phone numbers. The small tables are written here, of which only texts outside ASCII change;
 * orders, customers and subscriptions in portions while the shop runs (`plain-texts.ts`). The new indexes begin empty and grow with them.
 */

const withPhone = ['orders', 'customers'] as const;

/** As in `0009-order-search.ts`: without the extension, searches by phone number read the whole table. */
const createTrigrams = `DO $$ BEGIN
  ${withPhone
    .map((table) => `CREATE INDEX ${table}_by_phone ON ${table} USING gin (phone_digits gin_trgm_ops) WHERE phone_digits IS NOT NULL;`)
    .join('\n  ')}
EXCEPTION WHEN undefined_object THEN
  RAISE WARNING 'the extension pg_trgm is not available: searches by phone number will be slow';
END $$`;

export const statements: readonly (string | { sqlite: readonly string[]; postgres: readonly string[] })[] = [
  ...withPhone.map((table) => `ALTER TABLE ${table} ADD COLUMN phone_digits TEXT`),
  `ALTER TABLE subscriptions ADD COLUMN search_folded TEXT`,
  {
    sqlite: withPhone.map((table) => `CREATE INDEX ${table}_by_phone ON ${table} (phone_digits) WHERE phone_digits IS NOT NULL`),
    postgres: [createTrigrams],
  },
];

/** The columns that have a folded twin. */
const folded: Readonly<Record<string, readonly string[]>> = {
  access_groups: ['name'],
  admins: ['name'],
  discount_groups: ['name'],
  files: ['original_filename'],
  media: ['filename', 'alt'],
  order_statuses: ['name'],
  pages: ['slug', 'title'],
  pickup_locations: ['name'],
  products: ['name'],
  saved_views: ['name'],
  shipping_methods: ['name'],
  tasks: ['name', 'description'],
  tax_rates: ['name'],
  themes: ['name'],
  variants: ['sku', 'label'],
  vouchers: ['code'],
  webhook_endpoints: ['url'],
};

export async function afterwards(at: At): Promise<void> {
  for (const [table, columns] of Object.entries(folded)) {
    const twins = columns.map((column) => `${column}_folded`);
    await updateTexts(at, table, twins, await textsOf(at, table, columns, (texts) => texts.map(sortKey)));
  }
  await updateTexts(at, 'admins', ['email_folded'], await textsOf(at, 'admins', ['email'], (texts) => texts.map(foldAdminEmail)));
  const inquiries = await textsOf(at, 'inquiries', ['name', 'email', 'subject'], (texts) => [sortKey(texts.join('\n'))]);
  await updateTexts(at, 'inquiries', ['search_folded'], inquiries);
  await beginPlainTexts(at.db);
}

/** The ids of the rows with letters outside ASCII, each with what is made of its texts. */
async function textsOf(
  { db, dialect }: At,
  table: string,
  columns: readonly string[],
  make: (texts: readonly string[]) => string[],
): Promise<(string | number)[][]> {
  const { rows } = await sql<{ id: number } & Record<string, string | null>>`
    SELECT id, ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(table)}
    WHERE ${beyondAscii(columns, dialect.engine)} ORDER BY id`.execute(db);
  return rows.map((row) => [row.id, ...make(columns.map((column) => row[column] ?? ''))]);
}
