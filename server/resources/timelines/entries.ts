import type { TimelineEntry, TimelineKind } from '../../../contract/timeline.ts';
import type { Row } from '../../db/tables.ts';
import type { Placed } from './merge.ts';

/** Who did something, before names are looked up. `log`: the audit log knows it. */
export type By =
  | { type: 'admin'; id: number | null; runId?: number | null }
  | { type: 'named'; name: string }
  | { type: 'customer' | 'system' }
  | { type: 'provider'; name: string }
  | { type: 'log'; resource: string; id: number; action: string; at: string; known?: By | null };

export type Found = Placed & { entry: Omit<TimelineEntry, 'actor'>; by: By | null };

type Made = Pick<TimelineEntry, 'kind' | 'id' | 'action' | 'at'> & Partial<TimelineEntry>;

/** An entry of a record that was made. */
export function made({ note = null, changes = {}, entry_id = null, ...rest }: Made, by: By | null, placeId: number = rest.id): Found {
  return { place: { at: rest.at, id: placeId }, entry: { note, changes, entry_id, ...rest }, by };
}

/** An admin, or their run. */
export function byAdmin(id: number | null, runId: number | null = null): By | null {
  return id === null ? null : { type: 'admin', id, runId };
}

/** Who made an entry of the audit log. */
export function byOf({
  actor_type,
  actor_id,
  run_id,
  action,
}: Pick<Row<'audit_log'>, 'actor_type' | 'actor_id' | 'run_id' | 'action'>): By {
  if (actor_type !== 'system') return { type: 'admin', id: actor_id, runId: run_id };
  const provider = /^webhooks\.(.+)$/.exec(action)?.[1];
  if (provider !== undefined) return { type: 'provider', name: provider };
  return { type: action === 'customers.unsubscribe' ? 'customer' : 'system' };
}

export const kindOfRecord: Readonly<Record<string, TimelineKind>> = {
  payment: 'payment',
  shipment: 'shipment',
  access_grant: 'access',
  customer_file: 'file',
  customer_note: 'comment',
  mail: 'mail',
};

/** The kind of an entry of the audit log; a comment is a part of its order. */
export function kindOf({ resource_type, action }: { resource_type: string; action: string }): TimelineKind {
  return action === 'orders.delete_comment' ? 'comment' : (kindOfRecord[resource_type] ?? 'change');
}

/** The records whose entries in the audit log are of this kind. */
export function recordsOf(kind: TimelineKind): string[] {
  const named = Object.entries(kindOfRecord).filter(([, one]) => one === kind);
  return named.map(([record]) => record);
}
