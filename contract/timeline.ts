import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { mailStatuses } from './mails.ts';
import { NextCursor } from './paging.ts';
import { Cents, Id, Timestamp, text } from './values.ts';

/** What an order and a customer went through. Each kind is shown only to who may read its records. */
export const timelineKinds = [
  'comment',
  'change',
  'payment',
  'shipment',
  'mail',
  'access',
  'credit',
  'file',
  'order',
  'inquiry',
  'subscription',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const orderKinds = ['comment', 'change', 'payment', 'shipment', 'mail'] as const satisfies readonly TimelineKind[];
const customerKinds = [
  ...['comment', 'change', 'mail', 'access', 'credit', 'file', 'order', 'inquiry', 'subscription'],
] as const satisfies readonly TimelineKind[];

const Actor = z
  .object({
    type: z.enum(['admin', 'task', 'customer', 'system', 'provider']),
    name: z.string().nullable().meta({ description: 'Of the admin who acted or whose run did, or of the provider' }),
    admin_id: Id.nullable(),
    run_id: Id.nullable(),
    task_id: Id.nullable().meta({ description: 'Only for who may read tasks' }),
    task_name: z.string().nullable(),
  })
  .meta({ id: 'TimelineActor' });

const Comment = z.object({ author_id: Id.nullable(), body: z.string(), edited_at: Timestamp.nullable() });
const Edit = z.object({
  summary: z.string(),
  total_before: Cents,
  total_after: Cents,
  customer_notified: z.boolean(),
  stock_override_used: z.boolean(),
});
const Payment = z.object({ label: z.string(), amount: Cents, paid: z.boolean(), paid_at: Timestamp.nullable() });
const ProviderPayment = z.object({ state: z.string(), amount: Cents, external_id: z.string() });
const Shipment = z.object({ status: z.string(), courier_name: z.string().nullable(), tracking_number: z.string().nullable() });
const Mail = z.object({
  template: z.string(),
  subject: z.string(),
  to_address: z.string(),
  status: z.enum(mailStatuses),
  ended_at: Timestamp.nullable(),
});
const Access = z.object({
  group_id: Id,
  group_name: z.string(),
  order_id: Id.nullable(),
  subscription_id: Id.nullable(),
  expires_at: Timestamp.nullable(),
  withheld: z.string().nullable().meta({ description: 'Why the access is lost for now; null: it is not' }),
});
const Credit = z.object({ kind: z.string(), delta: z.int() });
const CustomerFile = z.object({ name: z.string(), size_bytes: z.int() });
const PlacedOrder = z.object({ public_id: z.string(), status: z.string(), total: Cents, currency: z.string() });
const Inquiry = z.object({ subject: z.string(), answered_at: Timestamp.nullable() });
const Subscription = z.object({ product_name: z.string(), status: z.string() });

/** What an entry has besides its kind; one that tells of a change has `changes`, the others say what was made, as it is now. */
export const TimelineEntry = z
  .object({
    kind: z.enum(timelineKinds),
    id: Id.meta({ description: 'Of the record that was made, or of the entry of the audit log; `action` and `id` together are unique' }),
    entry_id: Id.nullable().meta({
      description: 'The entry of the audit log about it, by which an edit can be taken back; null: not known',
    }),
    action: z.string().meta({ description: 'What was done, as the audit log names it, such as `orders.edit`' }),
    at: Timestamp,
    actor: Actor.nullable().meta({ description: 'Who did it; null: not known, or not for the caller, who needs `admin_api.logs.read`' }),
    note: z.string().nullable().meta({ description: 'Why, in the words of who did it' }),
    changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).meta({ description: 'field → [before, after]' }),
    comment: Comment.exactOptional(),
    edit: Edit.exactOptional(),
    payment: Payment.exactOptional(),
    provider_payment: ProviderPayment.exactOptional(),
    shipment: Shipment.exactOptional(),
    mail: Mail.exactOptional(),
    access: Access.exactOptional(),
    credit: Credit.exactOptional(),
    file: CustomerFile.exactOptional(),
    order: PlacedOrder.exactOptional(),
    inquiry: Inquiry.exactOptional(),
    subscription: Subscription.exactOptional(),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

const TimelinePage = z.object({ data: z.array(TimelineEntry), next_cursor: NextCursor }).meta({ id: 'TimelinePage' });

function queryFor<const Kinds extends readonly TimelineKind[]>(kinds: Kinds) {
  return z.object({
    kind: z
      .enum<[...Kinds, 'run']>([...kinds, 'run'])
      .optional()
      .meta({ description: 'Only entries of this kind; `run`: changes that runs of tasks made, of any kind' }),
    cursor: text({ max: 4000 }).optional().meta({ description: '`next_cursor` of the previous page, with the same `kind`' }),
    per_page: z.int().min(1).max(100).default(30),
  });
}

export const timelineEndpoints = endpointsOf(
  {
    id: 'orders.timeline',
    method: 'GET',
    path: '/orders/{id}/timeline',
    summary: 'List what an order went through, newest first: comments, changes, payments, shipments, mails',
    permission: 'admin_api.orders.read',
    record: 'order',
    query: queryFor(orderKinds),
    response: TimelinePage,
  },
  {
    id: 'customers.timeline',
    method: 'GET',
    path: '/customers/{id}/timeline',
    summary: 'List what a customer went through, newest first: notes, changes, mails, access, credits, files, orders',
    permission: 'admin_api.customers.read',
    record: 'customer',
    query: queryFor(customerKinds),
    response: TimelinePage,
  },
);
