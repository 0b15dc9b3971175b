import { randomUUID } from 'node:crypto';
import type { At } from '../../db/open.ts';
import { dropLeases, findLease, takeLease } from '../../db/queries/leases.ts';
import type { Services } from '../../services.ts';

/** Who works on a thread: a turn holds a lease on it, which the server renews while it lives. */

export const LEASE_PREFIX = 'thread ';
const LEASE_MAX_MS = 30_000;

const nameOf = (threadId: number): string => `${LEASE_PREFIX}${threadId}`;

export function leaseMs({ config }: Pick<Services, 'config'>): number {
  return Math.min(LEASE_MAX_MS, config.leaseSeconds * 1000);
}

/** Takes the lease for a new turn; the thread, which is locked, is at rest. Returns the turn's holder. */
export async function takeThread(at: At, threadId: number, ms: number): Promise<string> {
  const holder = randomUUID();
  await endTurn(at, threadId);
  await takeLease(at, nameOf(threadId), holder, ms);
  return holder;
}

/** Ends the turn that works on the thread, wherever it does: what it writes from now on is refused. */
export async function endTurn(at: At, threadId: number): Promise<void> {
  const lease = await findLease(at, nameOf(threadId));
  if (lease) await dropLeases(at.db, lease.holder);
}
