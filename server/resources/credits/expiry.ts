import type { Services } from '../../services.ts';
import { expire } from './domain.ts';
import * as store from './store.ts';

const ENDPOINT = 'customers.adjust_credits';
/** Buckets looked at together. */
const BATCH = 100;

/**
 * Puts into the ledger what has expired since the last turn (decisions.md CR6), a transaction for each customer. Servers
 * that do it at once wait for each other at the customer, and the second finds nothing left.
 */
export async function expireCredits(services: Services, now: string = new Date().toISOString()): Promise<void> {
  for (;;) {
    const customers = await store.selectExpiring(services.store.reader, now, BATCH);
    for (const id of customers) await services.transact(ENDPOINT, (ctx) => expire(ctx, id));
    if (customers.length === 0) return;
  }
}
