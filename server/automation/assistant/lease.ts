import { randomUUID } from 'node:crypto';
import type { At } from '../../db/open.ts';
import { dropLeases, findLease, keepsLease, takeLease } from '../../db/queries/leases.ts';
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

/** Whether the turn still works on the thread; the lease is locked until the transaction ends. */
export function keepsThread(at: At, threadId: number, holder: string): Promise<boolean> {
  return keepsLease(at, nameOf(threadId), holder);
}

/** Whether the turn holds the thread's lease, whatever its time: nobody else has taken it. */
export async function holdsThread(at: At, threadId: number, holder: string): Promise<boolean> {
  return (await findLease(at, nameOf(threadId)))?.holder === holder;
}

/** Ends the turn that works on the thread, wherever it does: what it writes from now on is refused. */
export async function endTurn(at: At, threadId: number): Promise<void> {
  const lease = await findLease(at, nameOf(threadId));
  if (lease) await dropLeases(at.db, lease.holder);
}
