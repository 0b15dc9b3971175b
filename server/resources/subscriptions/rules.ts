import type { BillingInterval, SubscriptionStatus } from '../../../contract/subscriptions.ts';

/**
 * Whether the status is final: a provider's subscription never leaves it, and neither does the shop's, whatever event comes
 * late (spec SU2).
 */
export function isOver(status: SubscriptionStatus): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The same day and time `count` intervals later; if that month has no such day, its last day. */
export function periodEnd(start: string, interval: BillingInterval, count: number): string {
  const at = new Date(start);
  if (interval === 'day' || interval === 'week') {
    at.setUTCDate(at.getUTCDate() + count * (interval === 'week' ? 7 : 1));
    return at.toISOString();
  }
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.toISOString();
}

/** The order of two events with the same second: created first, deleted last, all others between. */
const ranks: readonly (readonly [suffix: string, rank: number])[] = [
  ['.created', 0],
  ['.deleted', 2],
];

export type ToldEvent = { id: string; type: string; toldAt: string; before: unknown; after: unknown };

/**
 * Whether an event is older than the last one that was applied. Providers give times to the second. Within one second,
 * created comes first and deleted last; of two changes the older one is the one whose result is the other's state before.
 */
export function isOlder(event: ToldEvent, last: ToldEvent): boolean {
  if (event.toldAt !== last.toldAt) return event.toldAt < last.toldAt;
  const [rank, lastRank] = [rankOf(event.type), rankOf(last.type)];
  if (rank !== lastRank) return rank < lastRank;
  return last.before !== undefined && holds(event.after, last.before) && !holds(last.after, event.before);
}

function rankOf(type: string): number {
  return ranks.find(([suffix]) => type.endsWith(suffix))?.[1] ?? 1;
}

/** Whether `whole` contains every member of `part`; lists must have the same length. */
function holds(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && whole.length === part.length && part.every((one, i) => holds(whole[i], one));
  }
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  const known = new Map<string, unknown>(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => known.has(key) && holds(known.get(key), value));
}

/** The order of invoice states with the same second; an invoice moves only upwards. */
const invoiceRanks = new Map(Object.entries({ draft: 0, open: 1, uncollectible: 2, paid: 3, void: 3, deleted: 4 }));

export function isOlderInvoice(told: { status: string; toldAt: string }, known: { status: string; told_at: string | null }): boolean {
  if (known.told_at === null || told.toldAt > known.told_at) return false;
  return told.toldAt < known.told_at || (invoiceRanks.get(told.status) ?? 0) < (invoiceRanks.get(known.status) ?? 0);
}
