import { emailKey } from '../../../contract/emails.ts';
import type { Store } from '../../../server/db/open.ts';
import { foldEmail } from '../../../server/values/stored-emails.ts';

/** A discount group under an id that is free again; the API gives none twice. */
export async function putDiscountGroup(
  store: Store,
  { id, name, percent_bps }: { id: number; name: string; percent_bps: number },
): Promise<void> {
  const now = new Date().toISOString();
  const row = { id, name, name_folded: name.toLowerCase(), percent_bps, created_at: now, updated_at: now };
  await store.write((db) => db.insertInto('discount_groups').values(row).execute());
}

/** Gives a customer the email of an older one, as there are from before emails were compared as they are now. */
export async function shareEmail(store: Store, id: number, email: string): Promise<void> {
  const row = { email, email_folded: foldEmail(email), email_key: `${emailKey(email)} ${id}` };
  await store.write((db) => db.updateTable('customers').set(row).where('id', '=', id).execute());
}
