import type { Run } from '../../../../contract/runs.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { findAsking } from '../life/questions.ts';
import * as claims from '../rows/claim-store.ts';
import * as store from '../rows/store.ts';
import * as lists from './list-store.ts';

/** After this time without a request for work, a runner counts as gone. */
const RUNNER_GONE_MS = 45_000;

export type WaitingReasons = (row: store.Standing) => Run['waiting_reason'];

/** Why each of these runs waits, if it is open: nobody has claimed it, or it was claimed and waits for an answer, another run's end or its next attempt. */
export async function waitingReasons(ctx: Ctx, rows: readonly store.Standing[]): Promise<WaitingReasons> {
  const open = rows.filter(({ status, executor }) => status === 'running' && executor === 'runner');
  const claimed = open.filter(({ claim_id }) => claim_id !== null);
  const asking = await findAsking(
    ctx.db,
    claimed.map(({ id }) => id),
  );
  const whyClaimed = (row: store.Standing) => (row.retry_due_ms !== null ? 'retry' : (asking.get(row.id) ?? null));
  if (claimed.length === open.length) return whyClaimed;
  const none = await isNoRunnerThere(ctx);
  const busy = await lists.countBusy(ctx.db, [...new Set(open.map(({ task_id }) => task_id))]);
  return (row) => {
    if (row.status !== 'running' || row.executor !== 'runner') return null;
    if (row.claim_id !== null) return whyClaimed(row);
    if (none) return 'no_runner';
    return row.concurrency_limit !== null && busy(row) >= row.concurrency_limit ? 'concurrency' : 'runners_busy';
  };
}

export async function isNoRunnerThere({ db, dialect }: Pick<Ctx, 'db' | 'dialect'>): Promise<boolean> {
  const age = await store.selectRunnerAge(db);
  return (age === null || age > RUNNER_GONE_MS) && !(await claims.hasClaimInForce({ db, dialect }));
}
