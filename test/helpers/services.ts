import { join } from 'node:path';
import { createQuietServices } from '../../server/create-services.ts';
import type { Store } from '../../server/db/open.ts';
import type { Services } from '../../server/services.ts';
import { storesFolder } from './postgres.ts';

/** Those of a server of its own on the store, for a loop that a test runs by hand; nobody is told of what it does. */
export function servicesOf(store: Store): Promise<Services> {
  return createQuietServices(store, join(storesFolder(), 'backroom-services'));
}
