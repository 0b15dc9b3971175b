import type { Handlers } from '../../http/handlers.ts';
import * as edits from './domain.ts';

export const orderEditsRoutes: Handlers = {
  'orders.preview_edit': (ctx, { params, body }) => edits.previewEdit(ctx, params.id, body),
  'orders.edit': (ctx, { params, body }) => edits.editOrder(ctx, params.id, body),
  'orders.list_edits': (ctx, { params }) => edits.listEdits(ctx, params.id),
};
