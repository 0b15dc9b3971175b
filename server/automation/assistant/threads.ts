import { AssistantDraft, AssistantItem, type AssistantThread } from '../../../contract/assistant.ts';
import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { actingAdmin } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { NewItem } from './rules.ts';
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
  for (const item of items) ids.push(await store.insertItem(db, { thread_id: row.id, at, rev, ...columnsOf(item) }));
  for (const { id, ...item } of grown) await store.updateItem(db, id, { rev, data: columnsOf(item).data });
  const changed = { ...changes, updated_at: at };
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

export function threadOf(row: store.ThreadRow, { settings }: Pick<Ctx, 'settings'>): AssistantThread {
  const { id, task_id, run_id, title, state, error, tokens_used, created_at, updated_at } = row;
  return {
    ...{ id, task_id, run_id, title, state, error, tokens_used },
    tokens_max: settings.assistant?.thread_tokens ?? null,
    sees_personal_data: row.sees_personal_data === 1,
    ...{ created_at, updated_at },
  };
}
