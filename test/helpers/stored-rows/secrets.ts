import type { Store } from '../../../server/db/open.ts';

/** Puts the encrypted value of one secret in the place of another's, as somebody with the database alone could. The API encrypts anew. */
export async function moveSealedValue(store: Store, fromId: number, toId: number): Promise<void> {
  await store.write(async (db) => {
    const { sealed } = await db.selectFrom('task_secrets').select('sealed').where('id', '=', fromId).executeTakeFirstOrThrow();
    await db.updateTable('task_secrets').set({ sealed }).where('id', '=', toId).execute();
  });
}

/** Puts the encrypted secret of one hook's signatures in the place of another's, as somebody with the database alone could. */
export async function moveSealedSigning(store: Store, fromId: number, toId: number): Promise<void> {
  await store.write(async (db) => {
    const sealed = await db
      .selectFrom('hooks')
      .select(['verify_secret', 'verify_key_id'])
      .where('id', '=', fromId)
      .executeTakeFirstOrThrow();
    await db.updateTable('hooks').set(sealed).where('id', '=', toId).execute();
  });
}
