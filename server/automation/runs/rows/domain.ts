import { randomUUID } from 'node:crypto';
import { currentPlace } from '../../../../tracing/current.ts';
import type { Db } from '../../../db/open.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import type { Ctx } from '../../../verbs/context.ts';
import * as lineages from './lineage-store.ts';
import * as store from './store.ts';

export type { RunRow } from './store.ts';
/** Finds a run and locks it until the transaction ends. */
export { lockRun, selectRun as findRun, updateRun as changeRun } from './store.ts';

/**
 * `seed`: empty if no run of the lineage can be resumed. `startedAt`: of the epoch. `permissions`: a JSON list of what its
 * scripts may do. `depth`: the number of runs above it, each of which started the next one. `shop`: JSON of what its scripts are told of
 * the shop, now and whenever they are continued. `beganAt`: when they count as begun, whose time they are told.
 */
type NewLineage = Pick<Row<'lineages'>, 'seed' | 'epoch' | 'permissions' | 'shop' | 'began_at'> & { startedAt: string; depth?: number };

/** Inserts a lineage that has no run yet; returns its id. */
export async function beginLineage(db: Db, { startedAt, depth = 0, ...lineage }: NewLineage): Promise<string> {
  const id = randomUUID();
  await lineages.insertLineage(db, { ...lineage, id, epoch_started_at: startedAt, journal_bytes: 0, depth });
  return id;
}

/** The columns of a new run that its opener does not set: it is running, and no runner has claimed it. */
const fresh = {
  status: 'running',
  error_message: null,
  last_checkpoint: null,
  finished_at: null,
  attempt: 1,
  claim_id: null,
  claimed_by: null,
  claimed_at: null,
  dry_run: 0,
  record: 0,
  priority: 0,
  resumed_from_run_id: null,
  resumed_by_run_id: null,
  reported: 0,
  end_reason: null,
  isolation: '[]',
  progress: null,
  description: null,
  details_number: 0,
  result: null,
  log_lines: 0,
  log_bytes: 0,
  concurrency_key: null,
  concurrency_limit: null,
} as const;

type NewRun = Omit<NewRow<'runs'>, keyof typeof fresh | 'started_at'> & Partial<NewRow<'runs'>>;

/** Inserts a run that starts now; returns its id. Its runner will continue the trace of the request that opens it. */
export function insertRun(ctx: Pick<Ctx, 'db' | 'now'>, run: NewRun): Promise<number> {
  const traceparent = currentPlace()?.traceparent ?? null;
  return store.insertRun(ctx.db, { ...fresh, started_at: ctx.now, sign_ms: Date.parse(ctx.now), traceparent, ...run });
}

/** Shows what one run has shown as another one's details, as `change` makes it. */
export async function copyDetails(db: Db, fromId: number, toId: number, change?: (markdown: string) => Promise<string>): Promise<void> {
  const markdown = await store.selectDetails(db, fromId);
  if (markdown === null) return;
  await store.storeDetails(db, toId, change ? await change(markdown) : markdown);
  await store.updateRun(db, toId, { details_number: 1 });
}

/** Milliseconds since any runner was last seen; null if none ever was. */
export { selectRunnerAge as runnerAgeMs } from './store.ts';
