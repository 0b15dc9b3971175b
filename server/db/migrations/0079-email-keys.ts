import { sql } from 'kysely';
import { emailKey } from '../../../contract/emails.ts';
import { foldAdminEmail, ownEmailKey } from '../../values/stored-emails.ts';
import type { At, Db } from '../open.ts';
import { beyondAscii } from '../queries/columns.ts';

/**
 * Emails compare by the ASCII form of their domain, and the local part without case alone. Of an email in ASCII the folded email says that
 * already, so only the few others get a key.
 */
export const statements = [
  `ALTER TABLE customers ADD COLUMN email_key TEXT`,
  `DROP INDEX customers_by_email`,
  `CREATE UNIQUE INDEX customers_by_email ON customers (coalesce(email_key, nullif(email_folded, '')))`,
];

/** No SQL knows the ASCII form of a domain. */
export async function afterwards(at: At): Promise<void> {
  for (const { id, email } of await emailsOf(at, 'admins')) await set(at.db, 'admins', id, { email_folded: foldAdminEmail(email) });
  for (const { id, email } of await emailsOf(at, 'inquiries')) await set(at.db, 'inquiries', id, { email_folded: emailKey(email) });
  for (const { id, email } of await emailsOf(at, 'customers')) {
    const key = ownEmailKey(email);
    if (key === null) continue;
    // Of customers whose emails are the same from now on, the oldest has the key, each other one has it with its own id behind it.
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM customers WHERE coalesce(email_key, nullif(email_folded, '')) = ${key}`.execute(at.db);
    const holder = rows.find((row) => row.id !== id);
    if (holder && holder.id > id) await set(at.db, 'customers', holder.id, { email_key: `${key} ${holder.id}` });
    await set(at.db, 'customers', id, { email_key: holder && holder.id < id ? `${key} ${id}` : key });
  }
}

async function emailsOf({ db, dialect }: At, table: string): Promise<{ id: number; email: string }[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    SELECT id, email FROM ${sql.table(table)} WHERE ${beyondAscii(['email'], dialect.engine)} ORDER BY id`.execute(db);
  return rows;
}

async function set(db: Db, table: string, id: number, columns: Readonly<Record<string, string>>): Promise<void> {
  const sets = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`UPDATE ${sql.table(table)} SET ${sql.join(sets)} WHERE id = ${id}`.execute(db);
}
