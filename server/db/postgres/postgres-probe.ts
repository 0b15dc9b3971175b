import pg from 'pg';
import { type Probe, TOUCH } from '../probe.ts';

/** For the connection, and for the statement; a database that answers later than this does not answer. */
const ANSWERS_WITHIN_MS = 3000;

/** Has a connection of its own, so that it waits for no request, and nothing it does can wait for longer than a few seconds. */
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
