import type { Run } from '../../../../contract/runs.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { type Asking, findAsking } from '../life/questions.ts';
import * as claims from '../rows/claim-store.ts';
import * as store from '../rows/store.ts';
import * as lists from './list-store.ts';

/** After this time without a request for work, a runner counts as gone. */
const RUNNER_GONE_MS = 45_000;

/** `awaits`: the event that the run waits for; `until`: when a wait for an event or a time ends in any case. */
export type Waiting = { reason: Run['waiting_reason']; awaits: string | null; until: string | null };
export type WaitingReasons = (row: store.Standing) => Waiting;

const plain = (reason: Run['waiting_reason']): Waiting => ({ reason, awaits: null, until: null });

/** Why each of these runs waits, if it is open: nobody has claimed it, or it was claimed and waits for something or for its next attempt. */
export async function waitingReasons(ctx: Ctx, rows: readonly store.Standing[]): Promise<WaitingReasons> {
  const open = rows.filter(({ status, executor }) => status === 'running' && executor === 'runner');
  const claimed = open.filter(({ claim_id }) => claim_id !== null);
  const asking = await findAsking(
    ctx.db,
    claimed.map(({ id }) => id),
  );
  const whyClaimed = (row: store.Standing): Waiting => (row.retry_due_ms !== null ? plain('retry') : whyAsking(row, asking.get(row.id)));
  if (claimed.length === open.length) return whyClaimed;
  const none = await isNoRunnerThere(ctx);
  const busy = await lists.countBusy(ctx.db, [...new Set(open.map(({ task_id }) => task_id))]);
  return (row) => {
    if (row.status !== 'running' || row.executor !== 'runner') return plain(null);
    if (row.claim_id !== null) return whyClaimed(row);
    if (none) return plain('no_runner');
    return plain(row.concurrency_limit !== null && busy(row) >= row.concurrency_limit ? 'concurrency' : 'runners_busy');
  };
}

/** A run that has a worker may do other work beside a timer or a wait for an event, so it is not shown as waiting. */
function whyAsking({ claimed_by }: store.Standing, asking: Asking | undefined): Waiting {
  if (!asking) return plain(null);
  const { reason, awaits, dueMs } = asking;
  if (reason === 'prompt' || reason === 'task') return plain(reason);
  return claimed_by === null ? { reason, awaits, until: dueMs === null ? null : new Date(dueMs).toISOString() } : plain(null);
}

export async function isNoRunnerThere({ db, dialect }: Pick<Ctx, 'db' | 'dialect'>): Promise<boolean> {
  const age = await store.selectRunnerAge(db);
  return (age === null || age > RUNNER_GONE_MS) && !(await claims.hasClaimInForce({ db, dialect }));
}
