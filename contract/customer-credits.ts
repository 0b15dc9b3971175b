import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NoteText } from './people.ts';
import { Cents, clamped, Id, Timestamp } from './values.ts';

/** Largest |delta| of one adjustment (spec CR4). */
export const CREDIT_DELTA_MAX = 1_000_000_000;
export const CREDIT_DAYS_MAX = 36_500;

export const CreditBucket = z.object({ id: Id, remaining_credits: z.int(), expires_at: Timestamp.nullable() }).meta({ id: 'CreditBucket' });
export type CreditBucket = z.infer<typeof CreditBucket>;

export const CreditBalance = z
  .object({
    credits: z.int(),
    buckets: z.array(CreditBucket),
    value_cents: Cents.meta({
      description: 'Value of the balance when it is spent on an order; the setting `credit_value_minor` is the value of one credit',
    }),
  })
  .meta({ id: 'CreditBalance' });
export type CreditBalance = z.infer<typeof CreditBalance>;

export const CreditTransaction = z
  .object({
    id: Id,
    kind: z.enum(['manual_grant', 'deduct', 'expire']),
    delta_credits: z.int(),
    credit_id: Id,
    reference: z.string().nullable(),
    note: z.string().nullable(),
    created_at: Timestamp,
    created_by: z.string().meta({ description: '`admin:<id>` or `system`' }),
  })
  .meta({ id: 'CreditTransaction' });
export type CreditTransaction = z.infer<typeof CreditTransaction>;

/** Grants credits, or deducts them. */
export const adjustment = {
  delta: z
    .int()
    .min(-CREDIT_DELTA_MAX)
    .max(CREDIT_DELTA_MAX)
    .refine((delta) => delta !== 0, { message: 'must not be 0', params: { code: 'zero_delta' } }),
  expires_in_days: z.int().min(1).max(CREDIT_DAYS_MAX).nullable().optional(),
  note: NoteText.nullable().optional(),
};

export const customerCreditsEndpoints = endpointsOf(
  {
    id: 'customers.get_credits',
    method: 'GET',
    path: '/customers/{id}/credits',
    summary: 'Get the store credit of a customer: the balance, and the buckets that have credit left, soonest expiry first',
    permission: 'admin_api.customers.read',
    record: 'customer',
    response: CreditBalance,
  },
  {
    id: 'customers.list_credit_transactions',
    method: 'GET',
    path: '/customers/{id}/credits/transactions',
    summary: 'List the changes of store credit, newest first',
    permission: 'admin_api.customers.read',
    record: 'customer',
    query: z.object({
      before_id: z.int().optional().meta({ description: 'Only entries with a lower id' }),
      limit: clamped(1, 200, 50),
    }),
    response: z.object({ transactions: z.array(CreditTransaction) }).meta({ id: 'CreditTransactionPage' }),
  },
  {
    id: 'customers.adjust_credits',
    method: 'POST',
    path: '/customers/{id}/credits/adjust',
    undo: 'counter_entry',
    summary: 'Grant credit in a new bucket, or deduct credit, starting with the bucket that expires soonest',
    permission: 'admin_api.customers.write',
    record: 'customer',
    body: z.object(adjustment),
    response: CreditBalance,
    refusals: ['insufficient_credit', 'zero_delta'],
  },
);
