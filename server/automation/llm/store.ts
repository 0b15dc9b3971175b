import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';

export type Spending = {
  /** Tokens that are counted, and those that abandoned calls may have cost. */
  spent: number;
  /** Tokens that other calls under way have reserved. */
  held: number;
  /** Tokens that an earlier request of this same call may have cost; they are part of `spent`. */
  before: number;
};

/**
 * Reads the token counts of a lineage and locks it, so that each concurrent call sees the other's reservation. A call is
 * under way while its scope is leased.
 */
export async function lockSpending({ db, dialect }: At, lineageId: string, scope: string): Promise<Spending> {
  const counted = await sql<{ llm_tokens: number }>`
    SELECT llm_tokens FROM lineages WHERE id = ${lineageId} ${dialect.forUpdate}`.execute(db);
  const { rows } = await sql<{ scope: string; llm_tokens: number; is_held: number }>`
    SELECT c.scope, c.llm_tokens, CASE WHEN l.lease_until > ${dialect.nowMs} THEN 1 ELSE 0 END AS is_held
    FROM started_calls c LEFT JOIN leases l ON l.name = c.scope
    WHERE c.lineage_id = ${lineageId} AND c.llm_tokens > 0`.execute(db);
  const spending = { spent: counted.rows[0]?.llm_tokens ?? 0, held: 0, before: 0 };
  for (const call of rows) {
    if (call.scope !== scope && call.is_held === 1) spending.held += call.llm_tokens;
    else spending.spent += call.llm_tokens;
    if (call.scope === scope) spending.before = call.llm_tokens;
  }
  return spending;
}

/** Sets the tokens that a call under way has reserved. */
export async function updateHeld(db: Db, scope: string, tokens: number): Promise<void> {
  await db.updateTable('started_calls').set({ llm_tokens: tokens }).where('scope', '=', scope).execute();
}

export async function addSpent(db: Db, lineageId: string, tokens: number): Promise<void> {
  await sql`UPDATE lineages SET llm_tokens = llm_tokens + ${tokens} WHERE id = ${lineageId}`.execute(db);
}
