import { z } from 'zod';
import { adjustment } from './customer-credits.ts';
import { endpointsOf } from './endpoint.ts';
import { BULK_MAX, IDS_MAX } from './orders.ts';
import { Id, idSet } from './values.ts';

/** What is to be done with customers. */
export const CustomerBulkChange = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('discount_group'), discount_group_id: Id.nullable().meta({ description: 'null: none' }) }),
    z.object({ kind: z.literal('credits'), delta: adjustment.delta }),
  ])
  .meta({ id: 'CustomerBulkChange' });
export type CustomerBulkChange = z.infer<typeof CustomerBulkChange>;

const described = (description: string) => z.int().meta({ description });

export const CustomerBulkPreview = z
  .object({
    changing: described('Customers that would be changed'),
    unchanged: described('Customers that are so already'),
    missing: described('Ids of nobody'),
    deleted: described('Customers whose personal data was deleted: they stay as they are'),
    other_group: described('Of a discount group: customers that would leave another one'),
    new_businesses: described('Of a discount group: customers that would become business customers'),
    insufficient: described('Of credits that are taken: customers that have fewer and keep them'),
    value_cents: z.int().meta({ description: 'Of credits: the value of all that would be given or taken' }),
  })
  .meta({ id: 'CustomerBulkPreview' });
export type CustomerBulkPreview = z.infer<typeof CustomerBulkPreview>;

const results = z.object({
  results: z.array(
    z
      .object({
        id: Id.meta({ description: 'The customer' }),
        code: z
          .string()
          .exactOptional()
          .meta({ description: 'Why the customer was not changed: customer_not_found, customer_deleted or insufficient_credit' }),
      })
      .meta({ id: 'BulkCustomerResult' }),
  ),
});

const each = `at most ${BULK_MAX}; each succeeds or fails on its own`;

export const customerBulkEndpoints = endpointsOf(
  {
    id: 'customers.preview_bulk',
    method: 'POST',
    path: '/customers/bulk/preview',
    summary: `Preview a change of at most ${IDS_MAX.toLocaleString('en')} customers; nothing is written`,
    permission: 'admin_api.customers.read',
    body: z.object({ customer_ids: idSet(IDS_MAX), change: CustomerBulkChange }),
    writes: false,
    response: CustomerBulkPreview,
    refusals: ['zero_delta', 'discount_group_not_found'],
  },
  {
    id: 'customers.bulk_discount_group',
    method: 'POST',
    path: '/customers/bulk-discount-group',
    undo: 'restore',
    summary: `Give many customers a discount group, which makes them business customers, or take it from them, ${each}`,
    permission: 'admin_api.customers.write',
    body: z.object({ customer_ids: idSet(BULK_MAX), discount_group_id: Id.nullable() }),
    response: results,
    refusals: ['discount_group_not_found'],
  },
  {
    id: 'customers.bulk_credits',
    method: 'POST',
    path: '/customers/bulk-credits',
    undo: 'counter_entry',
    summary: `Grant each of many customers credits, or deduct them, as for one customer, ${each}`,
    permission: 'admin_api.customers.write',
    body: z.object({ customer_ids: idSet(BULK_MAX), ...adjustment }),
    response: results,
    refusals: ['zero_delta'],
  },
);
