import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from '../../../../server/db/faults.ts';
import type { Store } from '../../../../server/db/open.ts';
import { dumpRecords } from '../../../helpers/records-dump.ts';

/** What a program works on: its mark, and the records of its own. */
export type Own = { mark: string; customer: number; variant: number; order: number };

const AGAIN_MS = 100;

/** Does the same again where PostgreSQL is down or the connection was killed. */
function patient<A extends unknown[], T>(look: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  return async (...given) => {
    for (;;) {
      try {
        return await look(...given);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await delay(AGAIN_MS);
      }
    }
  };
}

/** Everything of a program's own that undo puts back, as text. */
export const recordsOf = patient(async (store: Store, { mark, customer, variant }: Own): Promise<string[]> => {
  const isOwn = (table: string, row: Record<string, unknown>): boolean =>
    (row['customer_id'] === customer && !table.startsWith('order')) ||
    row['variant_id'] === variant ||
    (table === 'customers' && row['id'] === customer) ||
    (table === 'variants' && row['id'] === variant) ||
    [row['email'], row['key']].some((text) => typeof text === 'string' && text.startsWith(mark));
  const dump = await dumpRecords(store, isOwn);
  return Object.entries(dump).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`));
});

/** What a program has left in the store, by what it is. */
export const leftBy = patient(async ({ reader }: Store, { mark, customer, variant, order }: Own) => {
  const notes = await reader.selectFrom('customer_notes').select('body').where('customer_id', '=', customer).execute();
  const credits = await reader.selectFrom('credit_transactions').select('note').where('customer_id', '=', customer).execute();
  const stock = await reader.selectFrom('stock_movements').select('reason').where('variant_id', '=', variant).execute();
  const { name } = await reader.selectFrom('customers').select('name').where('id', '=', customer).executeTakeFirstOrThrow();
  const events = await reader
    .selectFrom('domain_events')
    .select(['id', 'data'])
    .where('type', '=', 'order.status_changed')
    .where('data', 'like', `%"order_id":${order},%`)
    .execute();
  const customers = await reader.selectFrom('customers').select('email').where('email', 'like', `${mark}%`).execute();
  const state = await reader.selectFrom('task_state').select(['key', 'value']).where('key', 'like', `${mark}%`).execute();
  return {
    notes: notes.map(({ body }) => body),
    credits: credits.map(({ note }) => note ?? ''),
    stock: stock.map(({ reason }) => reason ?? ''),
    name,
    events: events.map(({ id }) => id),
    customers: customers.map(({ email }) => email),
    state: state.map(({ key, value }) => `${key} ${value}`),
  };
});

export type RunOf = { id: number; task_id: number; lineage_id: string; status: string; end_reason: string | null; error: string | null };

/** The runs that a program has led to, its own among them, the newest first. Batches have items of several programs. */
export const runsOf = patient(async ({ reader }: Store, mark: string): Promise<RunOf[]> => {
  return reader
    .selectFrom('runs')
    .select(['id', 'task_id', 'lineage_id', 'status', 'end_reason', 'error_message as error'])
    .where('parameters', 'like', `%"mark":"${mark}%`)
    .where('dry_run', '=', 0)
    .where('undo_of_run_id', 'is', null)
    .orderBy('id', 'desc')
    .execute();
});

/** How many of a program's starts are still to open. */
export const startsLeft = patient(async ({ reader }: Store, mark: string): Promise<number> => {
  const rows = await reader.selectFrom('gathered_items').select('id').where('content', 'like', `%"mark":"${mark}%`).execute();
  return rows.length;
});

/** What the page of a run shows besides its log. */
export const detailsOf = patient(async ({ reader }: Store, runId: number): Promise<string | null> => {
  const row = await reader.selectFrom('run_details').select('markdown').where('run_id', '=', runId).executeTakeFirst();
  return row?.markdown ?? null;
});

/** Lets the time of a long sleep come. */
export const passTimeOf = patient(async (store: Store, waitId: number): Promise<void> => {
  await store.write((db) =>
    db.updateTable('run_prompts').set({ due_ms: Date.now() }).where('id', '=', waitId).where('answered_at', 'is', null).execute(),
  );
});
