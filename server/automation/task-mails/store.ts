import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';

/** Counts mails of a run, and returns how many its lineage has written. */
export async function countOfLineage(db: Db, lineageId: string, mails: number): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    UPDATE lineages SET mails = mails + ${mails} WHERE id = ${lineageId} RETURNING mails`.execute(db);
  return rows[0]?.mails ?? 0;
}

/** Counts mails of tasks on a day, and returns how many there were. */
export async function countOfDay(db: Db, day: string, mails: number): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    INSERT INTO task_mail_days (day, mails) VALUES (${day}, ${mails})
    ON CONFLICT (day) DO UPDATE SET mails = task_mail_days.mails + excluded.mails RETURNING mails`.execute(db);
  return rows[0]?.mails ?? 0;
}
