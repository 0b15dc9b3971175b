import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as settings from './domain.ts';

export function settingsRoutes(services: Services): Handlers {
  // No payment provider is built in yet.
  const environment: settings.Environment = { paymentProviderConfigured: false };
  return {
    'settings.get': (ctx) => settings.getSettings(ctx, environment),
    'settings.update': (ctx, { body }) => {
      ctx.after(() => services.settings.clear());
      return settings.updateSettings(ctx, body, environment);
    },
  };
}
