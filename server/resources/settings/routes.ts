import { type Routes, read, write } from '../../verbs/route.ts';
import * as settings from './domain.ts';

export const settingsRoutes = (listeners: settings.Listeners) =>
  ({
    'settings.get': read((ctx) => settings.getSettings(ctx)),
    'settings.update': write((ctx, { body }) => {
      ctx.after(() => ctx.services.settings.clear());
      return settings.updateSettings(ctx, body, listeners);
    }),
  }) satisfies Partial<Routes>;
