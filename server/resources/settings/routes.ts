import type { Handlers } from '../../http/handlers.ts';
import type { RecordVersions } from '../../record-versions.ts';
import type { Services } from '../../services.ts';
import * as settings from './domain.ts';

export function settingsRoutes(services: Services, listeners: settings.Listeners): Handlers {
  const environment = environmentOf(services);
  return {
    'settings.get': (ctx) => settings.getSettings(ctx, environment),
    'settings.update': (ctx, { body }) => {
      ctx.after(() => services.settings.clear());
      return settings.updateSettings(ctx, body, environment, listeners);
    },
  };
}

export function settingsVersions(services: Services): RecordVersions {
  return settings.recordVersions(environmentOf(services));
}

function environmentOf({ config }: Services): settings.Environment {
  return { paymentProviderConfigured: config.stripe.secretKey !== undefined };
}
