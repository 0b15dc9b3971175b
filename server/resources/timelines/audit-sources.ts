import type { TimelineKind } from '../../../contract/timeline.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { byOf, type Found, kindOf, kindOfRecord, recordsOf } from './entries.ts';
import type { Window } from './merge.ts';
import { auditAbout, auditOf, conditions as of } from './store.ts';

/** Acts whose entries say less than what they made, which has a source of its own. */
const SHOWN_ELSEWHERE = [
  ...['orders.create', 'orders.edit', 'orders.create_comment', 'orders.update_comment', 'orders.create_payment'],
  ...['orders.create_shipment', 'orders.create_locker_shipment', 'customers.create', 'customers.create_note', 'customers.update_note'],
  ...['customers.upload_file', 'customers.adjust_credits', 'access_groups.create_grant', 'access_groups.create_grants', 'mails.send'],
];
const DELETED_COMMENT = 'orders.delete_comment';
/** Payments are shown with their order. */
const OF_ORDERS = ['payment'];

/** `run`: what runs did, whatever it was; undefined: all. */
export type WantedKind = TimelineKind | 'run' | undefined;

type Read = (db: Db, id: number, window: Window) => Promise<Found[]>;

/** The changes of an order or customer; null: none is of this kind. */
export function changesOf(type: 'order' | 'customer', kind: WantedKind): Read | null {
  const conditions: Partial<Record<string, typeof of.all>> = {
    run: of.byRun,
    change: of.without([...SHOWN_ELSEWHERE, DELETED_COMMENT]),
    comment: of.act(DELETED_COMMENT),
    all: of.without(SHOWN_ELSEWHERE),
  };
  const condition = conditions[kind ?? 'all'];
  if (condition === undefined || (kind === 'comment' && type === 'customer')) return null;
  return async (db, id, window) => (await auditOf(db, type, id, of.and([condition, of.changed]), window)).map(toFound);
}

/** The changes of other records that belong to it; null: none is of this kind. */
export function changesAbout(column: 'order_id' | 'customer_id', kind: WantedKind): Read | null {
  const records = kind === undefined || kind === 'run' ? [] : recordsOf(kind);
  if (kind !== undefined && kind !== 'run' && kind !== 'change' && records.length === 0) return null;
  const condition = of.and([
    kind === 'run' ? of.byRun : of.without(SHOWN_ELSEWHERE),
    kind === 'change' ? of.notAbout(Object.keys(kindOfRecord)) : records.length > 0 ? of.about(records) : of.all,
    column === 'customer_id' ? of.notAbout(OF_ORDERS) : of.all,
  ]);
  return async (db, id, window) => (await auditAbout(db, column, id, condition, window)).map(toFound);
}

function toFound(row: Row<'audit_log'>): Found {
  const { id, at, action } = row;
  const entry = { kind: kindOf(row), id, entry_id: id, action, at, note: null, changes: JSON.parse(row.changes) };
  return { place: { at, id }, entry, by: byOf(row) };
}
