import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as settings from './domain.ts';

export function settingsRoutes(services: Services): Handlers {
  const environment: settings.Environment = { paymentProviderConfigured: services.config.stripe.secretKey !== undefined };
  return {
    'settings.get': (ctx) => settings.getSettings(ctx, environment),
    'settings.update': (ctx, { body }) => {
      ctx.after(() => services.settings.clear());
      return settings.updateSettings(ctx, body, environment);
    },
  };
}
