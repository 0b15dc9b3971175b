import pg from 'pg';
import { type Probe, TOUCH } from '../probe.ts';

/** For the connection, and for the statement; a database that answers later than this does not answer. */
const ANSWERS_WITHIN_MS = 3000;

/** Uses a connection of its own, so that no request delays it, and gives up on everything after a few seconds. */
export function postgresProbe(url: string): Probe {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    async look() {
      await pool.query(TOUCH);
      return 'writable';
    },
    close: () => pool.end(),
  };
}
