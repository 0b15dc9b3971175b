import type { Services } from '../../services.ts';
import { expire } from './domain.ts';
import * as store from './store.ts';

const ENDPOINT = 'customers.adjust_credits';
/** How many buckets are read at a time. */
const BATCH = 100;

/**
 * Writes expired credits to the ledger (spec CR6), one transaction for each customer. Servers that do it at the same
 * time wait for each other at the customer's row, and the second finds nothing left.
 */
export async function expireCredits(services: Services, now: string = new Date().toISOString()): Promise<void> {
  for (;;) {
    const customers = await store.selectExpiring(services.store.reader, now, BATCH);
    for (const id of customers) await services.transact(ENDPOINT, (ctx) => expire(ctx, id));
    if (customers.length === 0) return;
  }
}
