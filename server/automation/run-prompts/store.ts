import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Prompt, PromptField } from '../../../contract/prompts.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import type { At, Db } from '../../db/open.ts';
import { rowStatement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';

export type PromptRow = Row<'run_prompts'>;
export type Place = { taskId: number; runId: number; id: number };

/** Finds a question by its key in the lineage. A prepared statement, because a waiting run asks once a second. */
export const selectByKey = rowStatement<{ lineageId: string; key: string }, PromptRow>(
  (value) => sql`SELECT * FROM run_prompts WHERE lineage_id = ${value('lineageId')} AND key = ${value('key')}`,
);

export async function selectEpoch(db: Db, lineageId: string): Promise<number | null> {
  const row = await db.selectFrom('lineages').select('epoch').where('id', '=', lineageId).executeTakeFirst();
  return row?.epoch ?? null;
}

export function insertPrompt(db: Db, row: NewRow<'run_prompts'>): Promise<PromptRow> {
  return db.insertInto('run_prompts').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Hands an unanswered question to the run that continues the asking one, and starts its time limit again. */
export async function askAgain(db: Db, id: number, runId: number, at: string): Promise<void> {
  await db.updateTable('run_prompts').set({ asked_by_run_id: runId, asked_at: at }).where('id', '=', id).execute();
}

/** Stores which claim has asked for this question last. */
export async function markAsked(db: Db, id: number, claimId: number): Promise<void> {
  await db.updateTable('run_prompts').set({ asked_by_claim_id: claimId }).where('id', '=', id).execute();
}

/** Counts the unanswered questions of a lineage, with the ends of runs that it waits for. */
export async function countOpen(db: Db, lineageId: string): Promise<number> {
  const { count } = await db
    .selectFrom('run_prompts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('lineage_id', '=', lineageId)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The questions of the run and of the earlier runs that it continues, oldest first. */
export async function selectPrompts(db: Db, runId: number): Promise<Prompt[]> {
  const rows = await ofRun(db, runId).orderBy('p.id').execute();
  return rows.map(toPrompt);
}

export async function selectPrompt(db: Db, { taskId, runId, id }: Place): Promise<PromptRow | null> {
  return (await ofRun(db, runId).where('r.task_id', '=', taskId).where('p.id', '=', id).executeTakeFirst()) ?? null;
}

/** Stores the answers; returns false if the question was already answered. */
export async function keepAnswers(
  db: Db,
  id: number,
  answer: { answers: string; answered_at: string; answered_by: number; answered_claim_id: number | null },
): Promise<boolean> {
  const rows = await db
    .updateTable('run_prompts')
    .set(answer)
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

export type Started = Pick<Row<'runs'>, 'id' | 'status' | 'end_reason' | 'error_message' | 'result'>;

/**
 * A run that a run of this lineage has started, or the run that continues it, held as it is until this transaction ends, so that its end
 * sees who waits for it.
 */
export async function holdStarted(ctx: At, lineageId: string, runId: number): Promise<Started | undefined> {
  const isStarted = sql`EXISTS (SELECT 1 FROM runs p WHERE p.lineage_id = ${lineageId} AND r.started_by = 'run:' || p.id)`;
  let found = await holdRun(ctx, runId, isStarted);
  while (found && found.resumed_by_run_id !== null) found = await holdRun(ctx, found.resumed_by_run_id, sql`1 = 1`);
  return found;
}

async function holdRun({ db, dialect }: At, id: number, condition: RawBuilder<unknown>) {
  const { rows } = await sql<Started & { resumed_by_run_id: number | null }>`
    SELECT r.id, r.status, r.end_reason, r.error_message, r.result, r.resumed_by_run_id FROM runs r
    WHERE r.id = ${id} AND ${condition} ${dialect.forShare}`.execute(db);
  return rows[0];
}

/** Questions of running runs that were asked before this time and are not answered, longest waiting first. */
export async function selectOverdue(db: Db, before: string, limit: number): Promise<{ runId: number; promptId: number; label: string }[]> {
  const rows = await db
    .selectFrom('run_prompts as p')
    .innerJoin('runs as r', 'r.id', 'p.asked_by_run_id')
    .select(['p.id', 'p.label', 'p.asked_by_run_id'])
    .where('p.answered_at', 'is', null)
    .where('p.awaits_run_id', 'is', null)
    .where('p.asked_at', '<', before)
    .where('r.status', '=', 'running')
    .orderBy('p.asked_at')
    .limit(limit)
    .execute();
  return rows.map(({ id, label, asked_by_run_id }) => ({ runId: asked_by_run_id, promptId: id, label }));
}

export type OpenRow = PromptRow & { task_id: number; task_name: string; dry_run: number; description: string | null };

/** Unanswered questions of running runs, longest waiting first, by the index on `asked_at`. */
export function selectOpen(db: Db, limit: number): Promise<OpenRow[]> {
  return db
    .selectFrom('run_prompts as p')
    .innerJoin('runs as r', 'r.id', 'p.asked_by_run_id')
    .innerJoin('tasks as t', 't.id', 'r.task_id')
    .selectAll('p')
    .select(['r.task_id', 't.name as task_name', 'r.dry_run', 'r.description'])
    .where('p.answered_at', 'is', null)
    .where('p.awaits_run_id', 'is', null)
    .where('r.status', '=', 'running')
    .orderBy('p.asked_at')
    .orderBy('p.id')
    .limit(limit)
    .execute();
}

export async function isOpen({ db }: Pick<Ctx, 'db'>, id: number): Promise<boolean> {
  const row = await db.selectFrom('run_prompts').select('answered_at').where('id', '=', id).executeTakeFirst();
  return row?.answered_at === null;
}

function ofRun(db: Db, runId: number) {
  return db
    .selectFrom('runs as r')
    .innerJoin('run_prompts as p', (join) => join.onRef('p.lineage_id', '=', 'r.lineage_id').onRef('p.run_id', '<=', 'r.id'))
    .selectAll('p')
    .where('p.awaits_run_id', 'is', null)
    .where('r.id', '=', runId);
}

const Fields = z.array(PromptField);

export function toPrompt({ id, label, fields, answers, created_at, answered_at, answered_by }: PromptRow): Prompt {
  return {
    id,
    label,
    fields: Fields.parse(JSON.parse(fields)),
    answers: answers === null ? null : JsonObject.parse(JSON.parse(answers)),
    created_at,
    answered_at,
    answered_by,
  };
}

export async function deletePrompts(db: Db, lineageIds: readonly string[]): Promise<void> {
  await db.deleteFrom('run_prompts').where('lineage_id', 'in', lineageIds).execute();
}
