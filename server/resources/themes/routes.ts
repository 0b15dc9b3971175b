import { type Routes, read, write } from '../../verbs/route.ts';
import * as themes from './domain.ts';

export const themesRoutes = {
  'themes.list': read((ctx, { query }) => themes.listThemes(ctx, query)),
  'themes.create': write((ctx, { body }) => themes.createTheme(ctx, body.name)),
  'themes.get': read((ctx, { params }) => themes.getTheme(ctx, params.id)),
  'themes.update': write((ctx, { params, body }) => themes.updateTheme(ctx, params.id, body)),
  'themes.delete': write((ctx, { params }) => themes.deleteTheme(ctx, params.id)),
  'themes.activate': write((ctx, { params }) => themes.activateTheme(ctx, params.id)),
} satisfies Partial<Routes>;
