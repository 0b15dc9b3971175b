import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { insertInto, rowStatement, statement } from '../../db/queries/statement.ts';
import type { Starter } from './store.ts';

/** What shares a rate: the starts of one starter with the same value of the rate's key. */
export type RateOf = Starter & { rate_key: string };

const same = (value: (name: keyof RateOf) => ReturnType<typeof sql>) => sql`
  kind = ${value('kind')} AND starter_id = ${value('starter_id')} AND task_id = ${value('task_id')} AND rate_key = ${value('rate_key')}`;

/** When the run was opened after which `skipped` others were. */
export const selectOpened = rowStatement<RateOf & { skipped: number }, { at_ms: number }>(
  (value) => sql`SELECT at_ms FROM start_times WHERE ${same(value)} ORDER BY at_ms DESC LIMIT 1 OFFSET ${value('skipped')}`,
);

export const insertTime = insertInto('start_times');

export const forgetTimes = statement<RateOf & { before: number }>(
  (value) => sql`DELETE FROM start_times WHERE ${same(value)} AND at_ms < ${value('before')}`,
);

/** Whether another one than this waits for the same rate. */
export const selectOthers = rowStatement<RateOf & { id: number }>(
  (value) => sql`SELECT 1 AS found FROM gathered_starts WHERE ${same(value)} AND queued_ms IS NOT NULL AND id <> ${value('id')} LIMIT 1`,
);

/** Lets the start be looked at that has waited for the rate the longest, if none is. */
export const callNext = statement<RateOf>(
  (value, { nowMs }) => sql`
    UPDATE gathered_starts SET due_ms = ${nowMs} WHERE due_ms IS NULL AND id = (
      SELECT id FROM gathered_starts WHERE ${same(value)} AND queued_ms IS NOT NULL ORDER BY queued_ms, id LIMIT 1)`,
);

export async function deleteOldTimes({ db }: { db: Db } | At, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM start_times WHERE id IN (
    SELECT id FROM start_times WHERE at_ms < ${Date.parse(before)} ORDER BY at_ms LIMIT ${limit}) RETURNING id`.execute(db);
  return rows.length;
}
