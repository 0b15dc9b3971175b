import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { type Routes, read, write } from '../../verbs/route.ts';
import { activateTheme, createTheme, deleteTheme, updateTheme } from './domain.ts';
import { themes } from './store.ts';

export const themesRoutes = {
  'themes.list': read((ctx, { query }) => listRecords(ctx, themes, query)),
  'themes.create': write((ctx, { body }) => createTheme(ctx, body.name)),
  'themes.get': read((ctx, { params }) => getRecord(ctx, themes, params.id)),
  'themes.update': write((ctx, { params, body }) => updateTheme(ctx, params.id, body)),
  'themes.delete': write((ctx, { params }) => deleteTheme(ctx, params.id)),
  'themes.activate': write((ctx, { params }) => activateTheme(ctx, params.id)),
} satisfies Partial<Routes>;
