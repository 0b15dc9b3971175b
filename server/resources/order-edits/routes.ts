import { type Routes, read, write } from '../../verbs/route.ts';
import * as edits from './domain.ts';

export const orderEditsRoutes = {
  'orders.preview_edit': read((ctx, { params, body }) => edits.previewEdit(ctx, params.id, body)),
  'orders.edit': write((ctx, { params, body }) => edits.editOrder(ctx, params.id, body)),
  'orders.list_edits': read((ctx, { params }) => edits.listEdits(ctx, params.id)),
} satisfies Partial<Routes>;
