import { type Courier, type CourierSettings, CourierUnavailable } from './courier.ts';
import { type EasypostOptions, openEasypost } from './easypost.ts';
import { manual } from './manual.ts';

/** The settings of couriers from the environment. */
export type CourierEnvironment = { easypostApiKey: string | undefined; easypostApiBase: string; timeoutMs: number };

export type Couriers = {
  of(provider: string, settings: CourierSettings): Promise<Courier>;
  /** After this time a request to a courier is given up. */
  answersWithinMs: number;
  /** After this time no request to a courier can still be under way or take effect. */
  settledWithinMs: number;
};

/** All couriers that this server can use. */
export function createCouriers({ easypostApiKey, easypostApiBase, timeoutMs }: CourierEnvironment): Couriers {
  const opened = new Map<string, Promise<Courier>>();

  /** Keeps one client, for the key used last; a key that was replaced is not used again. */
  function easypost(options: EasypostOptions): Promise<Courier> {
    const known = opened.get(options.apiKey);
    if (known) return known;
    opened.clear();
    const courier = openEasypost(options);
    opened.set(options.apiKey, courier);
    return courier;
  }

  return {
    answersWithinMs: timeoutMs,
    settledWithinMs: 3 * timeoutMs,
    async of(provider, settings) {
      if (provider === 'manual') return manual;
      if (provider !== 'easypost') throw new CourierUnavailable(`there is no courier "${provider}"; this server has manual and easypost`);
      const apiKey = settings.easypost_api_key ?? easypostApiKey;
      if (apiKey === undefined)
        throw new CourierUnavailable('there is no key for EasyPost: set courier.easypost_api_key or EASYPOST_API_KEY');
      return easypost({ apiKey, baseUrl: easypostApiBase, timeoutMs: timeoutMs });
    },
  };
}
