import { type Routes, read, write } from '../../verbs/route.ts';
import * as preferences from './domain.ts';

export const preferencesRoutes = {
  'preferences.list': read((ctx) => preferences.listPreferences(ctx)),
  'preferences.update': write((ctx, { params, body }) => preferences.setPreference(ctx, params.event_type, body.email_enabled)),
  'preferences.reset': write((ctx, { params }) => preferences.resetPreference(ctx, params.event_type)),
} satisfies Partial<Routes>;
