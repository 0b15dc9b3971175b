import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';

/** Enabled triggers for this type of event, except those of tasks whose runs led to it. */
export function selectListening(db: Db, type: string, lineageId: string | null): Promise<{ id: number; filter: string }[]> {
  return lineageId === null ? listening(db, { type }) : listeningBeyond(db, { type, lineageId });
}

const enabledOf = (type: ReturnType<typeof sql>) => sql<{ id: number; filter: string }>`
  SELECT t.id, t.filter FROM triggers t JOIN tasks k ON k.id = t.task_id WHERE t.event = ${type} AND t.enabled = 1 AND k.deleted_at IS NULL`;

const listening = statement<{ type: string }, { id: number; filter: string }>((value) => enabledOf(value('type')));

const listeningBeyond = statement<{ type: string; lineageId: string }, { id: number; filter: string }>(
  (value) => sql`${enabledOf(value('type'))}
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.lineage_id = ${value('lineageId')} AND r.task_id = t.task_id)
    AND NOT EXISTS (SELECT 1 FROM lineage_causes c WHERE c.lineage_id = ${value('lineageId')} AND c.task_id = t.task_id)`,
);

export async function insertDeliveries(db: Db, eventId: number, triggerIds: readonly number[]): Promise<void> {
  await db
    .insertInto('trigger_deliveries')
    .values(triggerIds.map((trigger_id) => ({ trigger_id, event_id: eventId, due_ms: 0 })))
    .execute();
}

/** Stores in the run's lineage all tasks whose runs led to it (spec TG2), and where the chain of them began. */
export async function insertCauses(db: Db, runId: number, causeLineageId: string): Promise<void> {
  await rememberCauses(db, { runId, causeLineageId });
  await rememberRoot(db, { runId, causeLineageId });
}

const rememberRoot = statement<{ runId: number; causeLineageId: string }>(
  (value) => sql`
    UPDATE lineages SET root_id = (SELECT coalesce(c.root_id, c.id) FROM lineages c WHERE c.id = ${value('causeLineageId')})
    WHERE id = (SELECT lineage_id FROM runs WHERE id = ${value('runId')})`,
);

const rememberCauses = statement<{ runId: number; causeLineageId: string }>(
  (value) => sql`
    INSERT INTO lineage_causes (lineage_id, task_id)
    SELECT n.lineage_id, r.task_id FROM runs n JOIN runs r ON r.lineage_id = ${value('causeLineageId')} WHERE n.id = ${value('runId')}
    UNION ALL
    SELECT n.lineage_id, c.task_id FROM runs n JOIN lineage_causes c ON c.lineage_id = ${value('causeLineageId')} WHERE n.id = ${value('runId')}
    ON CONFLICT DO NOTHING`,
);

/** Whether the task is that of this lineage, or one whose runs led to it. */
export async function isCause(db: Db, lineageId: string, taskId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 AS found FROM runs WHERE lineage_id = ${lineageId} AND task_id = ${taskId}
    UNION ALL SELECT 1 FROM lineage_causes WHERE lineage_id = ${lineageId} AND task_id = ${taskId} LIMIT 1`.execute(db);
  return rows.length > 0;
}
