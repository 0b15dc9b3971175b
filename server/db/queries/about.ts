import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

type Ids = readonly number[];

/** For `IN`: ids as rows, so that a list of any length is a single bound value. */
export function idRows({ linesOf }: Dialect, ids: Ids): RawBuilder<number> {
  return sql`(SELECT CAST(line AS bigint) FROM ${linesOf(sql`${JSON.stringify(ids)}`)})`;
}

/** The records that tell of one customer, as ids by type. */
export type Traces = { customerId: number; records: Readonly<Record<string, Ids>> };

/** For `IN`: the rows of a table that concern these records or this customer; each part of the union uses its own index. */
export function rowsAbout(
  dialect: Dialect,
  table: 'audit_log' | 'log_entries' | 'run_effects' | 'mails',
  { customerId, records }: Traces,
): RawBuilder<number> {
  const from = sql`SELECT id FROM ${sql.table(table)} WHERE`;
  const parts = Object.entries(records).map(
    ([type, ids]) => sql`${from} resource_type = ${sql.lit(type)} AND resource_id IN ${idRows(dialect, ids)}`,
  );
  if (table !== 'mails') parts.push(sql`${from} customer_id = ${customerId}`);
  return sql`(${sql.join(parts, sql` UNION ALL `)})`;
}
