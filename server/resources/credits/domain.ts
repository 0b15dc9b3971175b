import type { CreditBalance, CreditTransaction } from '../../../contract/customer-credits.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { actorName, type Ctx } from '../../verbs/context.ts';
import { refuseValue } from '../../verbs/problem.ts';
import { hasCustomer, lockCustomer } from '../customers/domain.ts';
import { balanceOf, expiryAfter, planDebit } from './rules.ts';
import * as store from './store.ts';

/** The balance and the live buckets. Expired credits do not count, even before the ledger has their expiry (spec CR6). */
export async function readCredits(ctx: Ctx, customerId: number): Promise<CreditBalance> {
  const buckets = await store.selectLiveBuckets(ctx.db, customerId, ctx.now);
  const credits = balanceOf(buckets);
  return { credits, buckets, value_cents: Math.min(credits * ctx.settings.credit_value_minor, Number.MAX_SAFE_INTEGER) };
}

export async function listCreditTransactions(
  ctx: Ctx,
  customerId: number,
  query: { before_id?: number | undefined; limit: number },
): Promise<{ transactions: CreditTransaction[] }> {
  const page = { beforeId: query.before_id, limit: query.limit };
  return { transactions: await store.selectTransactions(ctx.db, customerId, page) };
}

type Adjustment = InputOf<Endpoints['customers.adjust_credits']>['body'];

export async function adjustCredits(ctx: Ctx, customerId: number, adjustment: Adjustment): Promise<CreditBalance> {
  const { delta, expires_in_days, note, ...rest } = adjustment;
  rest satisfies Record<string, never>;
  await lockCustomer(ctx, customerId);
  await writeExpiries(ctx, customerId);
  const before = await readCredits(ctx, customerId);
  if (delta > 0) await grant(ctx, customerId, adjustment);
  else await debit(ctx, customerId, before, adjustment);
  const after = await readCredits(ctx, customerId);
  ctx.audit({
    resource: { type: 'customer', id: customerId },
    changes: { credits: [before.credits, after.credits] },
    summary: `Customer ${customerId}: credits ${before.credits} → ${after.credits}`,
  });
  return after;
}

/** Moves a customer's expired credits from the buckets to the ledger; does nothing if none have expired or the customer is gone. */
export async function expire(ctx: Ctx, customerId: number): Promise<void> {
  if (!(await hasCustomer(ctx, customerId))) return;
  await lockCustomer(ctx, customerId);
  const expired = await writeExpiries(ctx, customerId);
  if (expired === 0) return;
  const { credits } = await readCredits(ctx, customerId);
  ctx.audit({
    resource: { type: 'customer', id: customerId },
    changes: { credits: [credits + expired, credits] },
    summary: `Customer ${customerId}: ${expired} credits expired`,
  });
}

async function writeExpiries(ctx: Ctx, customerId: number): Promise<number> {
  const expired = await store.insertExpiries(ctx.db, customerId, ctx.now);
  if (expired > 0) await store.emptyExpiredBuckets(ctx.db, customerId, ctx.now);
  return expired;
}

async function grant(ctx: Ctx, customerId: number, { delta, expires_in_days = null, note = null }: Adjustment): Promise<void> {
  const creditId = await store.insertBucket(ctx.db, {
    customer_id: customerId,
    remaining_credits: delta,
    expires_at: expiryAfter(ctx.now, expires_in_days),
    created_at: ctx.now,
  });
  const entry = { customer_id: customerId, note, created_at: ctx.now, created_by: actorName(ctx) };
  await store.insertTransactions(ctx.db, [{ ...entry, kind: 'manual_grant', delta_credits: delta, credit_id: creditId }]);
}

async function debit(ctx: Ctx, customerId: number, balance: CreditBalance, { delta, note = null }: Adjustment): Promise<void> {
  const takes = planDebit(balance.buckets, -delta);
  if (!takes) throw refuseValue('insufficient_credit', '/delta', `the balance is ${balance.credits}; no more can be taken`);
  const entry = { customer_id: customerId, note, created_at: ctx.now, created_by: actorName(ctx) };
  await store.insertTransactions(
    ctx.db,
    takes.map(({ credit_id, amount }) => ({ ...entry, kind: 'deduct', delta_credits: -amount, credit_id })),
  );
  // Only the last bucket can have credits left; the others are empty.
  const last = takes.at(-1);
  const emptied = takes.slice(0, -1).map(({ credit_id }) => credit_id);
  if (emptied.length > 0) await store.emptyBuckets(ctx.db, emptied);
  if (last) await store.updateRemaining(ctx.db, last.credit_id, last.left);
}

/** Deletes the notes of the ledger's entries; the entries and their sums stay. */
export async function forgetCreditNotes(ctx: Ctx, customerId: number): Promise<void> {
  await store.clearNotes(ctx.db, customerId);
}

export async function deleteCredits(ctx: Ctx, customerId: number): Promise<void> {
  await store.deleteCredits(ctx.db, customerId);
}
