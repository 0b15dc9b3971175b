import { fold } from '../../contract/values.ts';
import type { Records } from '../db/queries/record-table.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from './changes.ts';
import type { Ctx } from './context.ts';
import { listPage, type PageQuery } from './list-pages.ts';
import { notFound } from './problem.ts';

/** The common part of verbs for records that one table holds. A verb calls these functions and adds the rules of its resource. */

type Named = { id: number; name: string };

export function listRecords<R extends { id: number }>(ctx: Ctx, table: Records<R>, query: PageQuery & { search?: string | undefined }) {
  return listPage(query, table.order, table.list(ctx, fold(query.search ?? '')));
}

/** Reads a record; 404 if it does not exist. */
export async function getRecord<R>(ctx: Pick<Ctx, 'db'>, table: Records<R>, id: number): Promise<R> {
  return foundOf(table, id, await table.find(ctx.db, id));
}

/** Reads and locks a record until the transaction ends; 404 if it does not exist. */
export async function lockRecord<R>(ctx: Pick<Ctx, 'db'>, table: Records<R>, id: number): Promise<R> {
  return foundOf(table, id, await table.lock(ctx.db, id));
}

function foundOf<R>({ type }: { type: string }, id: number, record: R | null): R {
  if (record === null) throw notFound(type.replaceAll('_', ' '), id);
  return record;
}

export async function createRecord<R extends Named, V extends Omit<R, 'id'>>(
  ctx: Ctx,
  table: Records<R>,
  values: OnlyOf<V, R>,
): Promise<R> {
  const record = await table.insert(ctx.db, values);
  noteCreated(ctx, table.type, record, record.name);
  return record;
}

/** Writes what a PATCH changes in a locked record, together with `stamp` if anything changes, and returns the record after the change. */
export async function changeRecord<R extends { id: number }, P extends { [K in keyof R]?: R[K] | undefined }>(
  ctx: Ctx,
  table: Records<R>,
  before: R,
  patch: OnlyOf<P, R>,
  stamp: Partial<R> = {},
): Promise<R> {
  const wanted = given<{ [K in keyof R]?: R[K] | undefined }>(patch);
  const changes = changesBetween<object, object>(before, wanted);
  noteChanged(ctx, table.type, before.id, changes);
  if (Object.keys(changes).length === 0) return before;
  const after = { ...before, ...wanted, ...stamp };
  await table.update(ctx.db, before, after);
  return after;
}

export async function deleteRecord<R extends Named>(ctx: Ctx, table: Records<R>, record: R): Promise<undefined> {
  await table.remove(ctx.db, record.id);
  noteDeleted(ctx, table.type, record, record.name);
}
