import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { createServices } from '../../server/create-services.ts';
import type { Store } from '../../server/db/open.ts';
import type { Services } from '../../server/services.ts';
import { storesFolder } from './postgres.ts';

/** Those of a server of its own on the store, for a loop that a test runs by hand; nobody is told of what it does. */
export async function servicesOf(store: Store): Promise<Services> {
  const config = readConfig({ DATA_DIR: join(storesFolder(), 'backroom-services') });
  return createServices(config, store, pino({ level: 'silent' }), new AbortController().signal);
}
