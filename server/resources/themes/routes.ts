import type { Handlers } from '../../http/handlers.ts';
import * as themes from './domain.ts';

export const themesRoutes: Handlers = {
  'themes.list': (ctx, { query }) => themes.listThemes(ctx, query),
  'themes.create': (ctx, { body }) => themes.createTheme(ctx, body.name),
  'themes.get': (ctx, { params }) => themes.getTheme(ctx, params.id),
  'themes.update': (ctx, { params, body }) => themes.updateTheme(ctx, params.id, body),
  'themes.delete': (ctx, { params }) => themes.deleteTheme(ctx, params.id),
  'themes.activate': (ctx, { params }) => themes.activateTheme(ctx, params.id),
};
