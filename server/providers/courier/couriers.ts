import { type Courier, type CourierSettings, CourierUnavailable } from './courier.ts';
import { type EasypostOptions, openEasypost } from './easypost.ts';
import { manual } from './manual.ts';

/** What the environment tells. */
export type CourierEnvironment = { easypostApiKey: string | undefined; easypostApiBase: string; timeoutMs: number };

export type Couriers = {
  of(provider: string, settings: CourierSettings): Promise<Courier>;
  /** A courier that has not answered by then is given up. */
  answersWithinMs: number;
  /** By then nothing that was asked of a courier is on its way any more. */
  settledWithinMs: number;
};

/** Every courier back end that this server can speak to. */
export function createCouriers({ easypostApiKey, easypostApiBase, timeoutMs }: CourierEnvironment): Couriers {
  const opened = new Map<string, Promise<Courier>>();

  /** One client a key; a key that was changed is not used again. */
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
      if (provider !== 'easypost') throw new CourierUnavailable(`there is no courier ${provider}`);
      const apiKey = settings.easypost_api_key ?? easypostApiKey;
      if (apiKey === undefined)
        throw new CourierUnavailable('there is no key for EasyPost: set courier.easypost_api_key or EASYPOST_API_KEY');
      return easypost({ apiKey, baseUrl: easypostApiBase, timeoutMs: timeoutMs });
    },
  };
}
