import type { Db, Store } from '../../db/open.ts';
import { reserveIds } from '../../db/queries/reserve-ids.ts';
import type { BatchWriter } from '../batch-store.ts';
import { creditsOf } from './credits.ts';
import { addressRows, customerRow, noteRows, type Person } from './customers.ts';
import { randomOf } from './random.ts';
import type { SampleIds } from './state.ts';

/** Writes customers with their addresses, notes and credits. A customer's id is the first customer's id plus the customer's index. */
export async function writeCustomers(
  { dialect }: Store,
  tx: Db,
  writer: BatchWriter,
  { seed, nowMs, ids }: { seed: number; nowMs: number; ids: SampleIds },
  people: readonly Person[],
): Promise<void> {
  const idOf = ({ index }: Person): number => ids.firstCustomer + index;
  const customers = people.map((person) => customerRow(person, idOf(person), ids.discountGroups));
  const addresses = people.flatMap((person) => addressRows(person, idOf(person)));
  const notes = people.flatMap((person) => noteRows(person, idOf(person), randomOf(seed, 'notes', person.index), nowMs));
  const credits = people.flatMap((person) => creditsOf(person, idOf(person), randomOf(seed, 'credits', person.index), nowMs));
  await writer.insert(tx, 'customers', customers);
  await writer.insert(tx, 'addresses', addresses);
  await writer.insert(tx, 'customer_notes', notes);
  const bucketIds = await reserveIds({ db: tx, dialect }, 'credit_buckets', credits.length);
  const buckets = credits.map(({ bucket }, n) => ({ id: bucketIds[n] ?? 0, ...bucket }));
  const ledger = credits.flatMap(({ transactions }, n) => transactions.map((entry) => ({ ...entry, credit_id: bucketIds[n] ?? 0 })));
  await writer.insert(tx, 'credit_buckets', buckets);
  await writer.insert(
    tx,
    'credit_transactions',
    ledger.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
  );
}
