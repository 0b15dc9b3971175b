import { type RawBuilder, sql } from 'kysely';

/** Whether an open run of a runner waits for the answer of a person. `run`: the name of the table or its alias. */
export function waitsForPerson(run: string) {
  return sql<boolean>`${isClaimed(run)} AND ${hasOpen(run, sql`p.awaits_run_id IS NULL`)}`;
}

/** Whether it waits for the end of a run that it has started, and for no person. */
export function waitsForTask(run: string) {
  const [person, task] = [hasOpen(run, sql`p.awaits_run_id IS NULL`), hasOpen(run, sql`p.awaits_run_id IS NOT NULL`)];
  return sql<boolean>`${isClaimed(run)} AND ${task} AND NOT ${person}`;
}

const isClaimed = (run: string) => sql`${sql.ref(`${run}.claim_id`)} IS NOT NULL AND ${sql.ref(`${run}.retry_due_ms`)} IS NULL`;

const hasOpen = (run: string, which: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 FROM run_prompts p WHERE p.asked_by_run_id = ${sql.ref(`${run}.id`)} AND p.answered_at IS NULL AND ${which})`;
