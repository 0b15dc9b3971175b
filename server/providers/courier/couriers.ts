import type { ServerConfig } from '../../config.ts';
import { type Courier, type CourierName, CourierUnavailable } from './courier.ts';
import { manual } from './manual.ts';

export type Couriers = { named(name: string): Courier };

/** Every courier back end that this server can speak to. */
export function createCouriers(_config: ServerConfig): Couriers {
  const known = new Map<string, Courier>([manual].map((courier) => [courier.name, courier]));
  return {
    named: (name) => {
      const courier = known.get(name);
      if (!courier) throw new CourierUnavailable(`no courier ${name satisfies string | CourierName}`);
      return courier;
    },
  };
}
