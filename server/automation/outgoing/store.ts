import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { rowStatement, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

type Effect = Pick<Row<'run_effects'>, 'id' | 'run_id' | 'changes'>;

/** The effect that shows the request of a started call. */
export const selectEffect = rowStatement<{ scope: string }, Effect>(
  (value) => sql`
    SELECT e.id, e.run_id, e.changes FROM started_calls c JOIN run_effects e ON e.id = c.effect_id WHERE c.scope = ${value('scope')}`,
);

export async function setEffect(db: Db, scope: string, effectId: number): Promise<void> {
  await db.updateTable('started_calls').set({ effect_id: effectId }).where('scope', '=', scope).execute();
}

export async function deleteEffect(db: Db, id: number): Promise<void> {
  await db.deleteFrom('run_effects').where('id', '=', id).execute();
}

/** The effects of a run whose calls have not ended, in no order. */
export const selectOpenEffects = statement<{ lineageId: string; runId: number }, Effect>(
  (value) => sql`
    SELECT e.id, e.run_id, e.changes FROM started_calls c JOIN run_effects e ON e.id = c.effect_id
    WHERE c.lineage_id = ${value('lineageId')} AND e.run_id = ${value('runId')}`,
);
