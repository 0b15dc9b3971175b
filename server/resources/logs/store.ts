import type { LogEntry } from '../../../contract/logs.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { Db } from '../../db/open.ts';

export function selectLogKeys(db: Db, source: string | undefined, reading: Reading): Promise<Position[]> {
  return selectKeys(from(db, source), reading);
}

export async function countLogs(db: Db, source: string | undefined): Promise<number> {
  const { count } = await from(db, source)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export function selectLogs(db: Db, ids: readonly number[]): Promise<LogEntry[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('log_entries')
    .select(['id', 'source', 'action', 'status', 'summary', 'detail', 'admin_id', 'admin_name', 'run_id', 'created_at'])
    .where('id', 'in', ids)
    .execute();
}

function from(db: Db, source: string | undefined) {
  const all = db.selectFrom('log_entries');
  return source === undefined ? all : all.where('source', '=', source);
}
