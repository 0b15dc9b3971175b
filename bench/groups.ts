import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { startListeningServer } from '../ops/processes.ts';
import { openStore, type Store } from '../server/db/open.ts';
import { startCluster } from '../test/helpers/postgres.ts';
import { get, repeat } from './asking.ts';
import { TOKEN } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const MEMBERS = 100_000;
const AT = '2026-03-01T12:00:00.000Z';

/** Measures the list of access groups, with its counts, where one group has MEMBERS members by grants, half of them limited in time. */
export async function measureGroups(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-bench-groups-'));
  const cluster = await startCluster({ ownSignals: true });
  try {
    const file = join(folder, 'backroom.db');
    return [
      await measureOn('SQLite', file, { DATABASE_URL: `sqlite:${file}`, DATA_DIR: folder }),
      await measureOn('PostgreSQL', `${cluster.url}/postgres`, { DATABASE_URL: `${cluster.url}/postgres`, DATA_DIR: folder }),
    ];
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureOn(name: string, url: string, env: Record<string, string>): Promise<Row> {
  const server = await startListeningServer({ ...env, PORT: '0', RATE_LIMIT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN });
  const store = openStore({ url });
  const pool = new Pool(server.url, { connections: 1 });
  const plain = () => sql`SELECT count(*) FROM entitlements WHERE group_id = 1`.execute(store.reader);
  try {
    await fill(store);
    const httpMs: number[] = [];
    const plainMs: number[] = [];
    await get(pool, '/access-groups');
    for (let round = 0; round < 3; round++) {
      await repeat(httpMs, () => get(pool, '/access-groups'));
      await repeat(plainMs, plain);
    }
    return row({
      name: `GET /access-groups, ${MEMBERS} members on ${name}: p50`,
      figure: median(httpMs),
      unit: 'ms',
      baseline: median(plainMs),
      figureBound: { most: 20 },
    });
  } finally {
    await pool.close();
    await store.close();
    await server.stop();
  }
}

/** Inserts the rows that grants would make, then does on PostgreSQL the maintenance that it would do by itself later. */
async function fill(store: Store): Promise<void> {
  const numbers = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(MEMBERS)})`;
  const until = sql`CASE WHEN i % 2 = 0 THEN '2099-01-01T00:00:00.000Z' END`;
  await store.write(async (db) => {
    await sql`INSERT INTO access_groups (id, slug, name, name_folded, created_at, updated_at) VALUES (1, 'all', 'All', 'ALL', ${AT}, ${AT})`.execute(
      db,
    );
    await sql`${numbers} INSERT INTO customers
      (id, name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
      SELECT i, 'C' || i, 'C' || i, 'c' || i, 'C' || i, 1, 0, '', '', ${AT}, ${AT} FROM n`.execute(db);
    await sql`${numbers} INSERT INTO access_grants (id, group_id, customer_id, expires_at, granted_by, created_at)
      SELECT i, 1, i, ${until}, 1, ${AT} FROM n`.execute(db);
    await sql`${numbers} INSERT INTO entitlements (group_id, customer_id, grant_id, starts_at, expires_at)
      SELECT 1, i, i, ${AT}, ${until} FROM n`.execute(db);
    await sql`${numbers} INSERT INTO access_group_members (group_id, customer_id, until)
      SELECT 1, i, coalesce(${until}, '9999-12-31T23:59:59.999Z') FROM n`.execute(db);
  });
  if (store.dialect.engine === 'postgres') await sql`VACUUM ANALYZE`.execute(store.reader);
}
