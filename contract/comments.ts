import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp, text } from './values.ts';

/** An admin who is mentioned in a comment or note stands in its text by id, so that a new name of the admin shows in it. */
const MENTION = /<@(\d{1,15})>/g;

/** The admins who are mentioned in a text, each once. */
export function mentionedIn(body: string): number[] {
  return [...new Set([...body.matchAll(MENTION)].map(([, id]) => Number(id)))];
}

/** So many admins one text may mention. */
export const MENTIONS_MAX = 20;

export const CommentText = text({ min: 1, max: 10_000, trim: true })
  .refine((body) => mentionedIn(body).length <= MENTIONS_MAX, {
    message: `must mention at most ${MENTIONS_MAX} admins`,
    params: { code: 'out_of_range' },
  })
  .meta({ description: `Plain text; \`<@12>\` mentions the admin 12, who gets a notification. At most ${MENTIONS_MAX} admins` });

export const OrderComment = z
  .object({
    id: Id,
    order_id: Id,
    author_id: Id.meta({ description: 'The admin who wrote it, or whose run did' }),
    author: z.string().meta({ description: 'The name that this admin had then' }),
    run_id: Id.nullable().meta({ description: 'The run that wrote it; null: the admin' }),
    body: z.string().meta({ description: 'Plain text; `<@12>` mentions the admin 12' }),
    created_at: Timestamp,
    edited_at: Timestamp.nullable(),
  })
  .meta({ id: 'OrderComment' });
export type OrderComment = z.infer<typeof OrderComment>;

const body = z.object({ body: CommentText });
const write = { permission: 'admin_api.orders.write' } as const;

export const commentsEndpoints = endpointsOf(
  {
    id: 'orders.create_comment',
    method: 'POST',
    path: '/orders/{id}/comments',
    undo: 'restore',
    summary: 'Comment on an order, for admins alone; the timeline of the order shows it',
    ...write,
    record: 'order',
    body,
    status: 201,
    response: OrderComment,
    refusals: ['blank', 'admin_not_found', 'notification_limit_reached'],
  },
  {
    id: 'orders.get_comment',
    method: 'GET',
    path: '/orders/{id}/comments/{comment_id}',
    summary: 'Get a comment on an order',
    permission: 'admin_api.orders.read',
    record: 'order_comment',
    response: OrderComment,
  },
  {
    id: 'orders.update_comment',
    method: 'PATCH',
    path: '/orders/{id}/comments/{comment_id}',
    undo: 'restore',
    summary: 'Change a comment of the caller on an order',
    ...write,
    record: 'order_comment',
    body,
    response: OrderComment,
    refusals: ['blank', 'forbidden', 'admin_not_found', 'notification_limit_reached'],
  },
  {
    id: 'orders.delete_comment',
    method: 'DELETE',
    path: '/orders/{id}/comments/{comment_id}',
    undo: 'restore',
    summary: 'Delete a comment of the caller on an order; an owner, by a token without a list of permissions, also deletes those of others',
    ...write,
    record: 'order_comment',
    status: 204,
    refusals: ['forbidden'],
  },
);
