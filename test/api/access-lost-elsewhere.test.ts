import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore, type Store } from '../../server/db/open.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { deactivateElsewhere, revokeElsewhere, storeAdminList } from '../helpers/stored-rows/people.ts';

/** What another process commits about a token or its admin counts for the very next call. */

onBothStores('access that another process takes away', (app) => {
  const elsewhere = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = openStore({ url: app().databaseUrl });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };
  const staff = async () => {
    const { adminId, tokenId, token } = await person(app(), { permissions: ['admin_api.orders.write', 'admin_api.customers.read'] });
    const theirs = app().clientFor(token);
    // Several calls, so that whatever a server remembers of a token is remembered.
    for (let i = 0; i < 3; i++) await theirs.orders.list();
    return { adminId, tokenId, theirs };
  };

  test('a revoked token is refused', async () => {
    const { tokenId, theirs } = await staff();
    await elsewhere((store) => revokeElsewhere(store, tokenId));
    await refused(theirs.orders.list(), 401, 'unauthorized');
  });

  test('a deactivated admin is refused', async () => {
    const { adminId, theirs } = await staff();
    await elsewhere((store) => deactivateElsewhere(store, adminId));
    await refused(theirs.orders.list(), 401, 'unauthorized');
  });

  test('a permission that is taken away or given counts at once', async () => {
    const { adminId, theirs } = await staff();
    await elsewhere((store) => storeAdminList(store, adminId, ['admin_api.customers.read']));
    await refused(theirs.orders.list(), 403, 'forbidden');
    await theirs.customers.list();
    await elsewhere((store) => storeAdminList(store, adminId, ['admin_api.orders.read']));
    assert.ok((await theirs.orders.list()).data);
    await refused(theirs.customers.list(), 403, 'forbidden');
  });
});
