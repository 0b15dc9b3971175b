import type { Store } from '../../../server/db/open.ts';

/** What strangers leave at the door for OAuth. Through the door, thousands of them would take minutes, and each stays for an hour. */

/** Keeps so many records of a model, and a few that have expired. */
export async function keepOauthRecords(store: Store, model: string, count: number): Promise<void> {
  const rowOf = (name: string, ms: number) => ({
    ...{ model, key_hash: `${model} ${name}`, payload: '{}' },
    expires_at: new Date(Date.now() + ms).toISOString(),
  });
  const rows = [
    ...Array.from({ length: count }, (_, n) => rowOf(`${n}`, 3_600_000)),
    ...Array.from({ length: 5 }, (_, n) => rowOf(`expired ${n}`, -3_600_000)),
  ];
  await store.write((db) => db.insertInto('oauth_records').values(rows).execute());
}

/** As if all that strangers have left had expired, and been deleted. */
export async function forgetOauthRecords(store: Store): Promise<void> {
  await store.write((db) => db.deleteFrom('oauth_records').execute());
}
