import type { Store } from '../../../server/db/open.ts';

/** A discount group under an id that is free again; the API gives none twice. */
export async function putDiscountGroup(
  store: Store,
  { id, name, percent_bps }: { id: number; name: string; percent_bps: number },
): Promise<void> {
  const now = new Date().toISOString();
  const row = { id, name, name_folded: name.toLowerCase(), percent_bps, created_at: now, updated_at: now };
  await store.write((db) => db.insertInto('discount_groups').values(row).execute());
}
