import { sql } from 'kysely';
import { insertInto, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

export const selectAnswer = statement<{ scope: string }, Row<'idempotency'>>(
  (value) => sql`SELECT * FROM idempotency WHERE scope = ${value('scope')}`,
);

export const insertAnswer = insertInto('idempotency');
