import type { OrderComment } from '../../../contract/comments.ts';
import { actsAsOwner, type Ctx } from '../../verbs/context.ts';
import { notFound } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { lockOrder } from '../orders/domain.ts';
import * as store from './store.ts';
import { authorOf, isAuthor, refuseOther, tellMentioned } from './writing.ts';

export const recordVersions = {
  order_comment: (db, { id, comment_id }) => store.selectVersion(db, { orderId: Number(id), id: Number(comment_id) }),
} satisfies RecordVersions;

export async function getComment(ctx: Ctx, orderId: number, id: number): Promise<OrderComment> {
  return known(id, await store.selectComment(ctx.db, { orderId, id }));
}

export async function createComment(ctx: Ctx, orderId: number, body: string): Promise<OrderComment> {
  const { public_id } = await lockOrder(ctx, orderId);
  const comment = await store.insertComment(ctx.db, { order_id: orderId, ...authorOf(ctx), body, created_at: ctx.now, edited_at: null });
  await tellMentioned(ctx, { after: body }, placeOf(comment, public_id));
  note(ctx, comment, [null, body], 'added');
  return comment;
}

export async function updateComment(ctx: Ctx, orderId: number, id: number, body: string): Promise<OrderComment> {
  const { public_id } = await lockOrder(ctx, orderId);
  const before = known(id, await store.selectComment(ctx.db, { orderId, id }));
  if (!isAuthor(ctx, before)) refuseOther();
  if (before.body === body) {
    ctx.audit({ resource: { type: 'order', id: orderId }, changes: {}, summary: `Order ${orderId}: comment ${id}, no change` });
    return before;
  }
  await tellMentioned(ctx, { before: before.body, after: body }, placeOf(before, public_id));
  await store.updateComment(ctx.db, id, { body, edited_at: ctx.now });
  note(ctx, before, [before.body, body], 'changed');
  return { ...before, body, edited_at: ctx.now };
}

export async function deleteComment(ctx: Ctx, orderId: number, id: number): Promise<undefined> {
  await lockOrder(ctx, orderId);
  const comment = known(id, await store.selectComment(ctx.db, { orderId, id }));
  if (!isAuthor(ctx, comment) && !actsAsOwner(ctx.actor)) refuseOther();
  await store.deleteComment(ctx.db, id);
  note(ctx, comment, [comment.body, null], 'deleted');
}

/** Comments are about whoever ordered. */
export async function forgetComments(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  await store.deleteCommentsOf(ctx, orderIds);
}

/** The order is the record that changes: whoever follows it sees its comments, and who forgets its buyer finds the entry. */
function note(ctx: Ctx, { id, order_id }: OrderComment, change: [string | null, string | null], what: string): void {
  ctx.audit({
    resource: { type: 'order', id: order_id },
    changes: { [`comment ${id}`]: change },
    summary: `Order ${order_id}: comment ${id} ${what}`,
  });
}

function placeOf({ id, order_id }: OrderComment, publicId: string) {
  return {
    where: `order ${publicId}`,
    link: `/orders?open=${order_id}&tab=history`,
    metadata: { order_id, comment_id: id, public_id: publicId },
  };
}

function known(id: number, comment: OrderComment | null): OrderComment {
  if (comment === null) throw notFound('comment', id);
  return comment;
}
