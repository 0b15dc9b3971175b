import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';

/** Counts a start; returns how many there were in the lineage, and how many runs stand above it. */
export async function countStart(db: Db, lineageId: string): Promise<{ starts: number; depth: number }> {
  const { rows } = await sql<{ starts: number; depth: number }>`
    UPDATE lineages SET starts = starts + 1 WHERE id = ${lineageId} RETURNING starts, depth`.execute(db);
  if (!rows[0]) throw new Error(`there is no lineage ${lineageId}`);
  return rows[0];
}
