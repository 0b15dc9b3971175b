import type { Db } from '../../db/open.ts';
import type { Executor, InTransaction } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { insertUsed, markReported } from './run-store.ts';

/**
 * Records each permission that the calls of a run needed, once per run, so that a reviewer sees which permissions a version does not use;
 * also records that the run has reported.
 */
export class UsedPermissions {
  readonly #recorded = new Set<string>();

  /** Whether there is nothing to record about this call. */
  hasRecorded(runId: number, permission: string | null): boolean {
    return permission === null || this.#recorded.has(keyOf(runId, permission));
  }

  /** Returns a function to call after the commit: a record that was rolled back must be made again. */
  async record(db: Db, runId: number, permission: string | null): Promise<() => void> {
    if (permission === null || this.hasRecorded(runId, permission)) return () => undefined;
    await insertUsed(db, runId, permission);
    await markReported(db, runId);
    return () => {
      if (this.#recorded.size > 10_000) this.#recorded.clear();
      this.#recorded.add(keyOf(runId, permission));
    };
  }
}

const keyOf = (runId: number, permission: string): string => `${runId} ${permission}`;

/** Records the permission that a runner's report about its run needed. */
export function usedPermissions({ usage }: Executor): Wrapper<InTransaction> {
  return async (call, next) => {
    const answer = await next(call);
    const { actor, permission, db } = call;
    if (actor.type !== 'task' || permission === null) return answer;
    return { ...answer, after: [...answer.after, await usage.record(db, actor.runId, permission)] };
  };
}
