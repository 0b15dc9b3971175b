import { type RawBuilder, sql } from 'kysely';

/** What a claimed run may wait for, as `findAsking` orders it (runs/life/questions.ts). A run without a worker alone waits for events and times. */
export type Asked = 'prompt' | 'task' | 'event' | 'signal' | 'sleep';

/** Whether an open run of a runner waits for the answer of a person. `run`: the name of the table or its alias. */
export function waitsForPerson(run: string) {
  return sql<boolean>`${isClaimed(run)} AND ${hasOpen(run, kinds.prompt)}`;
}

/** Whether it waits for this, and for nothing that counts more. */
export function waitsFor(run: string, asked: Asked) {
  const order: readonly Asked[] = ['prompt', 'task', 'event', 'signal', 'sleep'];
  const more = order.slice(0, order.indexOf(asked)).map((one) => sql`NOT ${hasOpen(run, kinds[one])}`);
  const isParked = asked !== 'prompt' && asked !== 'task' ? [sql`${sql.ref(`${run}.claimed_by`)} IS NULL`] : [];
  return sql<boolean>`${sql.join([isClaimed(run), ...isParked, hasOpen(run, kinds[asked]), ...more], sql` AND `)}`;
}

const kinds: Readonly<Record<Asked, RawBuilder<unknown>>> = {
  prompt: sql`p.awaits_run_id IS NULL`,
  task: sql`p.awaits_run_id IS NOT NULL AND p.awaits IS NULL`,
  event: sql`p.awaits <> 'sleep' AND p.awaits NOT LIKE 'signal:%'`,
  signal: sql`p.awaits LIKE 'signal:%'`,
  sleep: sql`p.awaits = 'sleep'`,
};

const isClaimed = (run: string) => sql`${sql.ref(`${run}.claim_id`)} IS NOT NULL AND ${sql.ref(`${run}.retry_due_ms`)} IS NULL`;

const hasOpen = (run: string, which: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 FROM run_prompts p WHERE p.asked_by_run_id = ${sql.ref(`${run}.id`)} AND p.answered_at IS NULL AND ${which})`;
