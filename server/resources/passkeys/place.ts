import { isIP } from 'node:net';
import type { Services } from '../../services.ts';
import type { Settings } from '../../values/settings.ts';
import { Refusal } from '../../verbs/problem.ts';

/** Where passkeys and sessions work: the origin of the console, and the host name to which passkeys belong. */
export type Place = { origin: string; rpId: string };

type Around = { settings: Pick<Settings, 'public_url'>; services: Pick<Services, 'listening'> };

/**
 * The one place of this server (spec AU20): its public address or, where the settings name none, http://localhost at the port on which it
 * listens. No header of a request has a say in it. null: the public address has no name, and WebAuthn knows none but names.
 */
export function placeOf({ settings, services }: Around): Place | null {
  const origin = settings.public_url ?? `http://localhost:${services.listening.port}`;
  const { hostname } = new URL(origin);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { origin, rpId: hostname } : null;
}

export function requirePlace(around: Around): Place {
  const place = placeOf(around);
  if (place !== null) return place;
  throw new Refusal(
    'passkeys_unavailable',
    `Passkeys belong to a name, and ${around.settings.public_url} has none: set public_url to a name, or to http://localhost:${around.services.listening.port}.`,
  );
}
