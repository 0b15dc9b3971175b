import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Db } from '../../server/db/open.ts';
import { changesAbout, changesOf } from '../../server/resources/timelines/audit-sources.ts';
import type { Window } from '../../server/resources/timelines/merge.ts';
import * as timelines from '../../server/resources/timelines/store.ts';
import { plansOf } from '../helpers/engine-plans.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** Each source of a timeline walks one index from the place where it was left, and sorts nothing, however much has happened. */

after(stopPostgres);

const ID = 7;
const first: Window = { after: null, limit: 31 };
const later: Window = { after: { at: '2026-01-01T00:00:00.000Z', id: 9 }, limit: 31 };
const kinds = [undefined, 'run', 'change', 'comment', 'payment', 'shipment', 'access', 'file'] as const;

const changes = kinds.flatMap((kind) => [
  ['audit_log_by_resource', changesOf('order', kind)] as const,
  ['audit_log_by_resource', changesOf('customer', kind)] as const,
  ['audit_log_by_order', changesAbout('order_id', kind)] as const,
  ['audit_log_by_customer', changesAbout('customer_id', kind)] as const,
]);

type Read = (db: Db, window: Window) => Promise<unknown>;

const sources: [index: string, read: Read][] = [
  ...changes.flatMap(([index, read]): [string, Read][] => (read ? [[index, (db, window) => read(db, ID, window)]] : [])),
  ['order_comments_by_order', (db, window) => timelines.commentsOf(db, ID, window)],
  ['customer_notes_by_customer', (db, window) => timelines.notesOf(db, ID, window)],
  ['order_edits_by_order', (db, window) => timelines.editsOf(db, ID, window)],
  ['payments_by_creation', (db, window) => timelines.paymentsOf(db, ID, window)],
  ['shipments_by_order', (db, window) => timelines.shipmentsOf(db, ID, window)],
  ['mails_by_resource', (db, window) => timelines.mailsOf(db, ID, ['order_placed'], window)],
  ['mails_by_customer', (db, window) => timelines.mailsTo(db, ID, window)],
  ['customer_files_by_customer', (db, window) => timelines.filesOf(db, ID, window)],
  ['credit_transactions_by_customer', (db, window) => timelines.creditsOf(db, ID, window)],
  ['entitlements_of_customer', (db, window) => timelines.accessOf(db, ID, window)],
  ['orders_by_customer', (db, window) => timelines.ordersOf(db, ID, window)],
  ['inquiries_by_customer', (db, window) => timelines.inquiriesOf(db, ID, window)],
  ['subscriptions_by_customer', (db, window) => timelines.subscriptionsOf(db, ID, window)],
];

for (const engine of engines) {
  test(`TI1: each source of a timeline reads one index from its place on, and sorts nothing [${engine}]`, async () => {
    const database = await createDatabase(engine);
    try {
      for (const window of [first, later])
        await plansOf[engine](database, async (planOf) => {
          let planned = 0;
          for (const [index, read] of sources) {
            const [plan, ...others] = await planOf(({ db }) => read(db, window));
            assert.deepEqual(others, [], index);
            // SQLite prepares a statement once, which orders and customers share.
            if (plan === undefined && engine === 'sqlite') continue;
            assert.ok(plan, index);
            planned += 1;
            assert.match(plan, new RegExp(`\\b${index}\\b`), plan);
            assert.doesNotMatch(plan, /ORDER BY|\bSCAN\b|Sort|Seq Scan/, plan);
          }
          assert.ok(planned > 20, `${planned} plans`);
        });
    } finally {
      await database.drop();
    }
  });
}
