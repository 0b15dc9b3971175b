import type { Store } from '../../../server/db/open.ts';

/**
 * Stores an audit entry of this record in a transaction that stays open until `commit` is called. Requests cannot be held at the moment
 * between taking an id and committing, which is when other entries overtake it.
 */
export async function holdAuditEntry(store: Store, recordId: number): Promise<{ commit(): Promise<void> }> {
  const stored = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const written = store.write(async (db) => {
    const row = { at: new Date().toISOString(), actor_type: 'system' as const, action: 'customers.update', request_id: '', ip: '' };
    await db
      .insertInto('audit_log')
      .values({ ...row, resource_type: 'customer', resource_id: recordId, changes: '{}' })
      .execute();
    stored.resolve();
    await released.promise;
  });
  await Promise.race([stored.promise, written]);
  return {
    commit() {
      released.resolve();
      return written;
    },
  };
}
