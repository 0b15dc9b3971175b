import { sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Check } from './check.ts';

/** What the database engine itself guarantees, as it says. */
export function engineChecks({ engine }: Pick<Dialect, 'engine'>): readonly Check[] {
  return engine === 'sqlite' ? sqliteChecks : postgresChecks;
}

const sqliteChecks: readonly Check[] = [
  {
    name: 'the file of the database is whole',
    faults: sql`SELECT integrity_check AS fault FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  },
  {
    name: 'what a row refers to exists',
    faults: sql`
      SELECT 'row ' || coalesce("rowid", '?') || ' of ' || "table" || ' refers to a row of ' || "parent" || ' that does not exist' AS fault
      FROM pragma_foreign_key_check`,
  },
];

const postgresChecks: readonly Check[] = [
  {
    name: 'every index is valid',
    faults: sql`SELECT 'index ' || CAST(indexrelid::regclass AS text) AS fault FROM pg_index WHERE NOT indisvalid`,
  },
  {
    name: 'every constraint was checked',
    faults: sql`
      SELECT 'constraint ' || conname AS fault FROM pg_constraint
      WHERE NOT convalidated AND connamespace = current_schema()::regnamespace`,
  },
];
