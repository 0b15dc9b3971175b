import type { Handlers } from '../../http/handlers.ts';
import * as preferences from './domain.ts';

export const preferencesRoutes: Handlers = {
  'preferences.list': (ctx) => preferences.listPreferences(ctx),
  'preferences.update': (ctx, { params, body }) => preferences.setPreference(ctx, params.event_type, body.email_enabled),
};
