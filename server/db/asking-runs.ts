import { sql } from 'kysely';

/** Whether an open run of a runner waits for the answer of a person. `run`: the name of the table or its alias. */
export function waitsForPerson(run: string) {
  const column = (name: string) => sql.ref(`${run}.${name}`);
  return sql<boolean>`${column('claim_id')} IS NOT NULL AND ${column('retry_due_ms')} IS NULL
    AND EXISTS (SELECT 1 FROM run_prompts p WHERE p.asked_by_run_id = ${column('id')} AND p.answered_at IS NULL)`;
}
