import { type Routes, read, write } from '../../verbs/route.ts';
import * as views from './domain.ts';

export const viewsRoutes = {
  'me.list_views': read((ctx, { query }) => views.listViews(ctx, query.screen)),
  'me.create_view': write((ctx, { body }) => views.createView(ctx, body)),
  'me.get_view': read((ctx, { params }) => views.getView(ctx, params.id)),
  'me.update_view': write((ctx, { params, body }) => views.updateView(ctx, params.id, body)),
  'me.delete_view': write((ctx, { params }) => views.deleteView(ctx, params.id)),
} satisfies Partial<Routes>;
