import type { DomainEvent } from '../../../contract/events.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import { queueTriggers } from '../../automation/trigger-queue/domain.ts';
import { endWaits } from '../../automation/trigger-queue/waits.ts';
import type { Traces } from '../../db/queries/about.ts';
import type { AuditEntry, Ctx } from '../../verbs/context.ts';
import type { Retention } from '../../verbs/retention.ts';
import { queueWebhooks } from '../webhooks/domain.ts';
import * as store from './store.ts';

export const auditRetentions: readonly Retention[] = [
  { days: ({ event_days }) => event_days, deleteBatch: store.deleteOldEvents },
  { days: ({ log_days }) => log_days, deleteBatch: store.deleteOldLogEntries },
  { days: ({ audit_days }) => audit_days, deleteBatch: store.deleteOldAudit },
];

/** The audit entries and domain events that one request has collected; they are stored in its transaction. */
export type Notes = { entries: AuditEntry[]; events: DomainEvent[] };
/**
 * `images`: the rows that the write of a run changed, as JSON; null: too much to be kept. `undoOfEntry`: the entry of the audit log that the write
 * takes back.
 */
export type NotedRequest = {
  endpointId: string;
  method: string;
  path: string;
  status: number;
  images?: string | null;
  undoOfEntry?: number;
};

/** Stores audit entries, the admins' log, domain events and a run's effects in the request's transaction. */
export async function storeNotes(ctx: Ctx, { entries, events }: Notes, request: NotedRequest): Promise<void> {
  if (entries.length > 0) {
    ctx.after(() => ctx.services.changes.fire());
    await store.insertAudit(
      ctx.db,
      entries.map((entry) => auditRow(ctx, entry, request)),
    );
    // What the system does by itself (loops, provider events) has log lines of its own, see `writeLog`.
    if (ctx.actor.type !== 'system') {
      await store.insertLogEntries(
        ctx.db,
        entries.map((entry) => logRow(ctx, entry, request)),
      );
    }
    await completeEffects(ctx.db, entries);
    const fresh = entries.filter(({ effectId }) => effectId === undefined);
    if (ctx.actor.type === 'task') await storeEffects(ctx.db, ctx.actor, fresh, { ...request, at: ctx.now });
  }
  await storeEvents(ctx, events, ctx.actor.type === 'task' ? ctx.actor.lineageId : null);
}

async function completeEffects(db: Ctx['db'], entries: readonly AuditEntry[]): Promise<void> {
  for (const { effectId, maybeTwice, ...entry } of entries)
    if (effectId !== undefined)
      await store.completeEffect(db, { id: effectId, changes: shownChanges(entry), maybeTwice: maybeTwice ? 1 : 0 });
}

function shownChanges({ changes, shown }: Pick<AuditEntry, 'changes' | 'shown'>): string {
  return JSON.stringify({ ...changes, ...shown });
}

type EffectOf = { runId: number; lineageId: string };
type EffectCall = Omit<NotedRequest, 'endpointId' | 'undoOfEntry'> & { at: string };

/** Stores the changes that a run has made, or that a dry run would make, as its effects. */
export async function storeEffects(db: Ctx['db'], run: EffectOf, entries: readonly AuditEntry[], call: EffectCall): Promise<void> {
  const rows = entries.map((entry, n) => effectRow(run, entry, call, n === 0));
  await (call.images === undefined ? store.insertEffects(db, rows) : store.insertEffectsWithImages(db, rows, call.images));
}

/** Stores an effect whose outcome is not known yet; an audit entry with the id that it gives completes it (`effectId`). */
export function storeOpenEffect(db: Ctx['db'], run: EffectOf, entry: AuditEntry, call: EffectCall): Promise<number> {
  return store.insertOpenEffect(db, effectRow(run, entry, call, true));
}

function effectRow({ runId, lineageId }: EffectOf, entry: AuditEntry, { method, path, status, at }: EffectCall, isFirst: boolean) {
  const { resource, customerId = null, maybeTwice } = entry;
  return {
    run_id: runId,
    lineage_id: lineageId,
    ...{ method, path, status, at },
    resource_type: resource.type,
    resource_id: resource.id,
    customer_id: customerId,
    changes: shownChanges(entry),
    maybe_twice: maybeTwice ? 1 : 0,
    is_first: isFirst ? 1 : 0,
  };
}

/** Marks the effects of runs on these records as possibly done twice. */
export async function markMaybeTwice(db: Ctx['db'], type: 'mail', ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await store.updateMaybeTwice(db, type, ids);
}

/**
 * Stores domain events, queues their webhooks and triggers and ends the waits for them; returns their ids. `lineageId` is the lineage of the
 * run that caused them.
 */
export async function storeEvents(
  ctx: Pick<Ctx, 'db' | 'now' | 'requestId' | 'after' | 'services'>,
  events: readonly DomainEvent[],
  lineageId: string | null,
): Promise<number[]> {
  const ids: number[] = [];
  let isAwaited = false;
  for (const { type, data } of events) {
    const row = { type, data: JSON.stringify(data), at: ctx.now, lineage_id: lineageId };
    const { id: eventId, hasTriggers, hasWaits } = await store.insertDomainEvent(ctx.db, row);
    await queueWebhooks(ctx.db, { eventId, type, data, at: ctx.now, requestId: ctx.requestId || null });
    if (hasTriggers && (await queueTriggers(ctx.db, { eventId, type, data, lineageId }))) isAwaited = true;
    if (hasWaits)
      await endWaits(ctx, {
        name: type,
        matched: JsonObject.parse(data),
        value: { id: eventId, type, at: ctx.now, data: JsonObject.parse(data) },
      });
    ids.push(eventId);
  }
  if (isAwaited) ctx.after(() => ctx.services.starts.fire());
  return ids;
}

/** A line of the admins' log that is not the act of an admin or a task. */
export type LogLine = {
  source: 'webhook' | 'ai_task' | 'mcp';
  action: string;
  status: string;
  summary: string;
  detail: Record<string, unknown>;
  admin?: { adminId: number; name: string };
};

export async function writeLog({ db, now }: Pick<Ctx, 'db' | 'now'>, line: LogLine): Promise<void> {
  const { admin, detail, ...columns } = line;
  const by = admin && { admin_id: admin.adminId, admin_name: admin.name };
  await store.insertLogEntries(db, [{ ...columns, ...by, detail: JSON.stringify(detail), created_at: now }]);
}

/** Removes personal data from log entries and effects of runs that are about the customer's records. */
export async function forgetInLogs(ctx: Ctx, traces: Traces): Promise<void> {
  await store.forgetChanges(ctx, 'audit_log', traces);
  await store.forgetImages(ctx, traces);
  await store.forgetChanges(ctx, 'run_effects', traces);
  await store.forgetLogged(ctx, traces);
}

function auditRow(ctx: Ctx, entry: AuditEntry, { endpointId, undoOfEntry }: NotedRequest) {
  const { actor } = ctx;
  return {
    at: ctx.now,
    actor_type: actor.type === 'admin' || actor.type === 'task' ? actor.type : ('system' as const),
    actor_id: actor.type === 'admin' || actor.type === 'task' ? actor.adminId : null,
    token_id: actor.type === 'admin' || actor.type === 'runner' ? actor.tokenId : null,
    run_id: actor.type === 'task' ? actor.runId : null,
    action: endpointId,
    resource_type: entry.resource.type,
    resource_id: entry.resource.id,
    customer_id: entry.customerId ?? null,
    order_id: entry.orderId ?? null,
    undo_of_entry_id: undoOfEntry ?? null,
    changes: JSON.stringify(entry.changes),
    request_id: ctx.requestId,
    ip: ctx.ip,
  };
}

function logRow(ctx: Ctx, entry: AuditEntry, { endpointId, undoOfEntry }: NotedRequest) {
  const { actor } = ctx;
  const admin = actor.type === 'admin' || actor.type === 'task' ? actor : null;
  return {
    source: actor.type === 'task' ? 'ai_task' : actor.type === 'admin' && actor.agent ? 'mcp' : 'admin',
    action: `admin.${endpointId}`,
    status: 'success',
    summary: undoOfEntry === undefined ? entry.summary : `Took back entry ${undoOfEntry}: ${entry.summary}`,
    detail: JSON.stringify(entry.detail ?? { [`${entry.resource.type}_id`]: entry.resource.id, ...entry.changes }),
    resource_type: entry.resource.type,
    resource_id: entry.resource.id,
    customer_id: entry.customerId ?? null,
    admin_id: admin?.adminId ?? null,
    admin_name: admin?.name ?? null,
    run_id: actor.type === 'task' ? actor.runId : null,
    created_at: ctx.now,
  };
}
