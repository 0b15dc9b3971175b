import { AssistantDraft, AssistantItem, type AssistantThread } from '../../../contract/assistant.ts';
import type { Db } from '../../db/open.ts';
import { type Actor, actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, refusePermission } from '../../verbs/problem.ts';
import { missingOf, type NewItem } from './rules.ts';
import * as store from './store.ts';

/** Threads as they are stored, for the verbs and for what works on them. */

type Changes = Partial<Omit<store.ThreadRow, 'id' | 'row_version'>>;

/** Finds a thread of the acting admin and locks it; another admin's does not exist for them (spec AS1). */
export async function lockOwn(ctx: Ctx, id: number): Promise<store.ThreadRow> {
  const row = await store.lockThread(ctx.db, { id });
  if (row?.admin_id !== actingAdmin(ctx).adminId) throw notFound('thread', id);
  return row;
}

/** Changes a locked thread, and adds or grows items of it, under one revision. Returns the thread, and the ids of the new items. */
export async function changeThread(
  db: Db,
  row: store.ThreadRow,
  { at, items = [], grown = [], ...changes }: Changes & { at: string; items?: readonly Stored[]; grown?: readonly Grown[] },
): Promise<{ row: store.ThreadRow; ids: number[] }> {
  const rev = row.row_version + 1;
  const ids: number[] = [];
  let { size_bytes } = row;
  for (const item of items) {
    const columns = columnsOf(item);
    ids.push(await store.insertItem(db, { thread_id: row.id, at, rev, ...columns }));
    size_bytes += Buffer.byteLength(columns.data);
  }
  for (const { id, ...item } of grown) {
    const { data } = columnsOf(item);
    size_bytes += Buffer.byteLength(data) - ((await store.selectItemSize(db, { id }))?.bytes ?? 0);
    await store.updateItem(db, id, { rev, data });
  }
  const changed = { ...changes, size_bytes, updated_at: at };
  await store.updateThread(db, row.id, changed);
  return { row: { ...row, ...changed, row_version: rev }, ids };
}

/** `made`: what only the conversation with the model needs to know of an item. */
type Stored = NewItem & { made?: Record<string, unknown> };
type Grown = Stored & { id: number };

function columnsOf({ kind, ...data }: Stored): { kind: string; data: string } {
  return { kind, data: JSON.stringify(data) };
}

export function itemOf({ id, kind, at, data }: store.ItemRow): AssistantItem {
  return AssistantItem.parse({ ...JSON.parse(data), id, kind, at });
}

export function draftOf({ draft }: Pick<store.ThreadRow, 'draft'>): AssistantDraft | null {
  return draft === null ? null : AssistantDraft.parse(JSON.parse(draft));
}

type Seen = Pick<Ctx, 'settings'> & { actor: Actor };

/** A thread as its admin sees it; of one that tells what the token may not read, only that it is there. */
export function threadOf(row: store.ThreadRow, { settings, actor }: Seen): AssistantThread {
  const { id, task_id, run_id, title, state, error, tokens_used, created_at, updated_at } = row;
  const missing_permissions = lackedBy(actor, row);
  const told = missing_permissions.length === 0 ? { title, error } : { title: '', error: null };
  return {
    ...{ id, task_id, run_id, state, ...told, tokens_used },
    tokens_max: settings.assistant?.thread_tokens ?? null,
    sees_personal_data: row.sees_personal_data === 1,
    missing_permissions,
    ...{ created_at, updated_at },
  };
}

/** Refuses to show a thread, or to go on with it, to a token that lacks what it may have read by (spec AS1). */
export function requireShown(actor: Actor, row: store.ThreadRow): void {
  const missing = lackedBy(actor, row);
  if (missing.length === 0) return;
  const detail = `Thread ${row.id} may tell what needs ${missing.join(', ')}, which you do not hold (any more). You can still stop or delete it.`;
  throw refusePermission('forbidden', missing, detail);
}

function lackedBy(actor: Actor, row: store.ThreadRow): string[] {
  return actor.type === 'system' ? [] : missingOf(actor, row);
}
