import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** Rows of a copied store that differ from its source as only a fault can make them, and rows with values that the API refuses. */

/** Changes a row, deletes one, adds one and changes sums, so that four tables differ from the source. */
export async function spoilCopy(store: Store, of: { customer: number; movement: number }): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE customers SET name = name || '!', phone = '1' WHERE id = ${of.customer}`.execute(db);
    await sql`DELETE FROM stock_movements WHERE id = ${of.movement}`.execute(db);
    await sql`INSERT INTO settings (key, value) VALUES ('unknown', '1')`.execute(db);
    await sql`UPDATE order_counts SET n = n + 1 WHERE day = ''`.execute(db);
  });
}

/** Stores answers of requests under these scopes; the real ones are hashes, whose order tells nothing about other texts. */
export async function storeScopes(store: Store, scopes: readonly string[], body: string | null = null): Promise<void> {
  await store.write(async (db) => {
    for (const scope of scopes) {
      const row = { scope, fingerprint: '', status: 200, headers: '{}', body, created_at: '2026-01-01T00:00:00.000Z' };
      await db.insertInto('idempotency').values(row).execute();
    }
  });
}

/** Makes a store look as one that an older program, or a newer one, has left. */
export async function forgetMigration(store: Store, name: string): Promise<void> {
  await store.write((db) => sql`DELETE FROM migrations WHERE name = ${name}`.execute(db));
}
export async function storeMigration(store: Store, name: string): Promise<void> {
  await store.write((db) => sql`INSERT INTO migrations (name) VALUES (${name})`.execute(db));
}
