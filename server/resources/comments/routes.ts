import { type Routes, read, write } from '../../verbs/route.ts';
import * as comments from './domain.ts';

export const commentsRoutes = {
  'orders.create_comment': write((ctx, { params, body }) => comments.createComment(ctx, params.id, body.body)),
  'orders.get_comment': read((ctx, { params }) => comments.getComment(ctx, params.id, params.comment_id)),
  'orders.update_comment': write((ctx, { params, body }) => comments.updateComment(ctx, params.id, params.comment_id, body.body)),
  'orders.delete_comment': write((ctx, { params }) => comments.deleteComment(ctx, params.id, params.comment_id)),
} satisfies Partial<Routes>;
