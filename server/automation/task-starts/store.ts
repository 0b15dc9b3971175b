import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';

/** How many runs the lineage has started, how many the chain that it is of, and how many runs stand above it. */
export type Starts = { starts: number; chainStarts: number; depth: number };

/** Counts a start. A lineage whose root was deleted counts for itself again. */
export async function countStart(db: Db, lineageId: string): Promise<Starts> {
  const { rows } = await sql<{ starts: number; depth: number; root: string }>`
    UPDATE lineages SET starts = starts + 1 WHERE id = ${lineageId}
    RETURNING starts, depth, coalesce((SELECT r.id FROM lineages r WHERE r.id = lineages.root_id), id) AS root`.execute(db);
  const [own] = rows;
  if (!own) throw new Error(`there is no lineage ${lineageId}`);
  const { rows: chains } = await sql<{ starts: number }>`
    INSERT INTO run_chains (root_id, starts) VALUES (${own.root}, 1)
    ON CONFLICT (root_id) DO UPDATE SET starts = run_chains.starts + 1 RETURNING starts`.execute(db);
  return { starts: own.starts, depth: own.depth, chainStarts: chains[0]?.starts ?? 0 };
}
