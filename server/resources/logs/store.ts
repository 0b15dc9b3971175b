import type { LogEntry } from '../../../contract/logs.ts';
import type { Db } from '../../db/open.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';

export function logs(db: Db, source: string | undefined): List<LogEntry> {
  const all = db.selectFrom('log_entries');
  return listOf(source === undefined ? all : all.where('source', '=', source), (ids) => selectLogs(db, ids));
}

/** The order of the rows is not defined. */
function selectLogs(db: Db, ids: readonly number[]): Promise<LogEntry[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('log_entries')
    .select(['id', 'source', 'action', 'status', 'summary', 'detail', 'admin_id', 'admin_name', 'run_id', 'created_at'])
    .where('id', 'in', ids)
    .execute();
}
