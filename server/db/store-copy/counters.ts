import { sql } from 'kysely';
import type { At } from '../open.ts';
import type { Table } from './tables.ts';

/** The last id that each table's counter gave, also to a row that is no longer there; tables without one are missing. */
export async function lastIds({ db, dialect }: At, tables: readonly Table[]): Promise<ReadonlyMap<string, number>> {
  const counted = tables.filter(({ hasCounter }) => hasCounter).map(({ name }) => name);
  const query =
    dialect.engine === 'sqlite'
      ? sql<{ name: string; last: number | null }>`SELECT name, seq AS last FROM sqlite_sequence`
      : sql<{ name: string; last: number | null }>`
          SELECT line AS name, pg_sequence_last_value(CAST(pg_get_serial_sequence(quote_ident(line), 'id') AS regclass)) AS last
          FROM ${dialect.linesOf(sql`${JSON.stringify(counted)}`)}`;
  const { rows } = await query.execute(db);
  return new Map(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}
