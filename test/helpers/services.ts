import { join } from 'node:path';
import { createQuietServices } from '../../server/create-services.ts';
import type { Store } from '../../server/db/open.ts';
import type { Services } from '../../server/services.ts';
import { storesFolder } from './postgres.ts';

/** The services of a second server on the store, for a loop that a test runs itself. The test's server is not told of its changes. */
export function servicesOf(store: Store): Promise<Services> {
  return createQuietServices(store, join(storesFolder(), 'backroom-services'));
}
