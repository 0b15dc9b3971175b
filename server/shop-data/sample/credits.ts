import type { NewRow } from '../../db/tables.ts';
import type { Person } from './customers.ts';
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;

/** A credit bucket and its ledger: the deltas of its transactions add up to its remaining credits. */
export type Credit = { bucket: NewRow<'credit_buckets'>; transactions: Omit<NewRow<'credit_transactions'>, 'credit_id'>[] };

export function creditsOf(person: Person, customerId: number, random: Random, nowMs: number): Credit[] {
  if (!person.registered || !random.chance(0.25)) return [];
  return Array.from({ length: random.int(1, 3) }, () => creditOf(person, customerId, random, nowMs));
}

function creditOf(person: Person, customerId: number, random: Random, nowMs: number): Credit {
  const grantedMs = person.createdMs + Math.floor(random.next() * (nowMs - person.createdMs));
  const granted = random.int(1, 20) * 250;
  const expiresMs = random.chance(0.6) ? grantedMs + random.pick([90, 180, 365]) * DAY_MS : null;
  const endMs = Math.min(nowMs, expiresMs ?? nowMs);
  const common = { customer_id: customerId, reference: null };
  const transactions: Credit['transactions'] = [
    {
      ...common,
      kind: 'manual_grant',
      delta_credits: granted,
      note: random.pick(['Welcome', 'Sorry for the delay', 'Loyalty']),
      created_at: iso(grantedMs),
      created_by: 'admin:1',
    },
  ];
  let remaining = granted;
  if (random.chance(0.4)) {
    const spent = random.chance(0.2) ? granted : random.int(1, granted - 1);
    remaining -= spent;
    const at = grantedMs + Math.floor(random.next() * (endMs - grantedMs));
    transactions.push({
      ...common,
      kind: 'deduct',
      delta_credits: -spent,
      note: 'Spent on an order',
      created_at: iso(at),
      created_by: 'admin:1',
    });
  }
  if (expiresMs !== null && expiresMs <= nowMs && remaining > 0) {
    transactions.push({
      ...common,
      kind: 'expire',
      delta_credits: -remaining,
      note: null,
      created_at: iso(expiresMs),
      created_by: 'system',
    });
    remaining = 0;
  }
  return {
    bucket: {
      customer_id: customerId,
      remaining_credits: remaining,
      expires_at: expiresMs === null ? null : iso(expiresMs),
      created_at: iso(grantedMs),
    },
    transactions,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
