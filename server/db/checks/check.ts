import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../open.ts';

/** What is true of every store, whatever was done with it. `faults` selects a text `fault` for each thing that contradicts it. */
export type Check = { name: string; faults: RawBuilder<{ fault: string }> };
/** `count`: how many things contradict it; `faults`: the first of them. */
export type Checked = { name: string; count: number; faults: string[] };

export const FAULTS_SHOWN = 20;

export async function carryOut(db: Db, { name, faults }: Check): Promise<Checked> {
  const { rows } = await sql<{ fault: string; total: number }>`
    WITH wrong AS (${faults})
    SELECT fault, (SELECT count(*) FROM wrong) AS total FROM wrong ORDER BY fault LIMIT ${sql.lit(FAULTS_SHOWN)}`.execute(db);
  return { name, count: rows[0]?.total ?? 0, faults: rows.map(({ fault }) => fault) };
}
