import { sql } from 'kysely';
import { KEPT_CHECKPOINT_BYTES, KEPT_CHECKPOINTS } from '../../../../contract/run-checkpoints.ts';
import type { Db } from '../../../db/open.ts';
import { rowStatement, statement } from '../../../db/queries/statement.ts';
import type { Row } from '../../../db/tables.ts';

/** The states of checkpoints, and what a run that restarts from one takes over. */

type NewState = { lineageId: string; epoch: number; state: string; bytes: number };

/** Keeps the state of a checkpoint; of older ones only those within the bounds stay. */
export async function keepState(db: Db, state: NewState): Promise<void> {
  await insertState(db, state);
  await dropOldStates(db, { lineageId: state.lineageId });
}

const insertState = statement<NewState>(
  (value) => sql`
    INSERT INTO lineage_checkpoints (lineage_id, epoch, state, bytes, effects_upto, planned_upto)
    SELECT CAST(${value('lineageId')} AS text), CAST(${value('epoch')} AS bigint), CAST(${value('state')} AS text),
      CAST(${value('bytes')} AS bigint),
      coalesce((SELECT max((SELECT max(e.id) FROM run_effects e WHERE e.run_id = o.id)) FROM runs o WHERE o.lineage_id = ${value('lineageId')}), 0),
      coalesce((SELECT max(position) FROM planned_writes WHERE lineage_id = ${value('lineageId')}), 0)`,
);

const dropOldStates = statement<{ lineageId: string }>(
  (value) => sql`
    DELETE FROM lineage_checkpoints WHERE lineage_id = ${value('lineageId')} AND epoch <= (
      SELECT max(epoch) FROM (
        SELECT epoch, row_number() OVER (ORDER BY epoch DESC) AS n, sum(bytes) OVER (ORDER BY epoch DESC) AS total
        FROM lineage_checkpoints WHERE lineage_id = ${value('lineageId')}
      ) AS counted WHERE n > ${sql.lit(KEPT_CHECKPOINTS)} OR total > ${sql.lit(KEPT_CHECKPOINT_BYTES)})`,
);

type Page = { runId: number; after: number; limit: number };

/** The checkpoints of the run and of the runs of its lineage before it; a later run's checkpoints have higher numbers. */
export const selectCheckpoints = statement<Page, Row<'run_checkpoints'>>(
  (value) => sql`
    SELECT c.run_id, c.epoch, c.at, c.bytes, c.attempt FROM runs r
    JOIN runs o ON o.lineage_id = r.lineage_id AND o.id <= r.id
    JOIN run_checkpoints c ON c.run_id = o.id AND c.epoch > ${value('after')}
    WHERE r.id = ${value('runId')} ORDER BY o.id, c.epoch LIMIT ${value('limit')}`,
);

/** `effects`: how many came after this checkpoint and before the next one whose state is kept; those of dry runs never came. */
export type KeptState = { epoch: number; effects: number };

/** In no particular order. */
export const selectKept = statement<{ runId: number }, KeptState>(
  (value) => sql`
    SELECT k.epoch, CAST((
      SELECT count(*) FROM runs o JOIN run_effects e ON e.run_id = o.id AND e.id > k.effects_upto AND e.id <= k.next_upto
      WHERE o.lineage_id = k.lineage_id AND o.dry_run = 0
    ) AS bigint) AS effects
    FROM (
      SELECT lineage_id, epoch, effects_upto, lead(effects_upto, 1, 9007199254740991) OVER (ORDER BY epoch) AS next_upto
      FROM lineage_checkpoints WHERE lineage_id = (SELECT lineage_id FROM runs WHERE id = ${value('runId')})
    ) AS k`,
);

export type StoredState = Pick<Row<'lineage_checkpoints'>, 'state' | 'effects_upto' | 'planned_upto'>;

export const selectState = rowStatement<{ lineageId: string; epoch: number }, StoredState>(
  (value) => sql`
    SELECT state, effects_upto, planned_upto FROM lineage_checkpoints
    WHERE lineage_id = ${value('lineageId')} AND epoch = ${value('epoch')}`,
);

type Since = { lineageId: string; upto: number };

export const countEffectsAfter = rowStatement<Since, { total: number }>(
  (value) => sql`
    SELECT count(*) AS total FROM runs o JOIN run_effects e ON e.run_id = o.id AND e.id > ${value('upto')}
    WHERE o.lineage_id = ${value('lineageId')}`,
);

/** The sizes of the first effects of the lineage after one. */
export const selectSizesAfter = statement<Since & { limit: number }, { id: number; bytes: number }>(
  (value) => sql`
    SELECT e.id, octet_length(e.changes) AS bytes FROM runs o JOIN run_effects e ON e.run_id = o.id AND e.id > ${value('upto')}
    WHERE o.lineage_id = ${value('lineageId')} ORDER BY o.id, e.id LIMIT ${value('limit')}`,
);

export async function selectEffectsOf(db: Db, ids: readonly number[]): Promise<Row<'run_effects'>[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('run_effects').selectAll().where('id', 'in', ids).orderBy('id').execute();
}

/** A run of the lineage that has not ended. */
export const selectOpen = rowStatement<{ lineageId: string }, { id: number }>(
  (value) => sql`SELECT id FROM runs WHERE lineage_id = ${value('lineageId')} AND status = 'running' LIMIT 1`,
);

/** A lineage that goes on from this epoch of another one. `marks`: those of their secrets. */
export type Continued = { from: string; to: string; epoch: number; marks: { from: string; to: string } };

/** Copies the values that `once` stored before the epoch, with the bytes that they count. How they were made is of no use to another lineage. */
export async function copyMemory(db: Db, { from, to, epoch, marks }: Continued): Promise<void> {
  await sql`
    INSERT INTO lineage_memory (lineage_id, name, value, epoch)
    SELECT CAST(${to} AS text), name, replace(value, CAST(${marks.from} AS text), CAST(${marks.to} AS text)), epoch
    FROM lineage_memory WHERE lineage_id = ${from} AND (epoch IS NULL OR epoch < ${epoch}) AND name >= 'once/' AND name < 'once0'`.execute(
    db,
  );
  await sql`
    UPDATE lineages SET memory_bytes = (SELECT coalesce(sum(octet_length(value)), 0) FROM lineage_memory WHERE lineage_id = ${to})
    WHERE id = ${to}`.execute(db);
}

/** Copies the first writes of a dry run's plan. */
export async function copyPlan(db: Db, { from, to, upto }: { from: string; to: string; upto: number }): Promise<void> {
  await sql`
    INSERT INTO planned_writes (lineage_id, position, method, path, body, warnings, is_outside, at, status, answer, effects)
    SELECT CAST(${to} AS text), position, method, path, body, warnings, is_outside, at, status, answer, effects
    FROM planned_writes WHERE lineage_id = ${from} AND position <= ${upto}`.execute(db);
}

/** Shows the effects of that part of the plan as those of the run that takes it over. */
export async function copyPlannedEffects(
  db: Db,
  { from, upto, to, runId }: { from: string; upto: number; to: string; runId: number },
): Promise<void> {
  await sql`
    INSERT INTO run_effects (run_id, lineage_id, method, path, status, resource_type, resource_id, changes, at, customer_id, maybe_twice, is_first)
    SELECT CAST(${runId} AS bigint), CAST(${to} AS text), e.method, e.path, e.status, e.resource_type, e.resource_id, e.changes, e.at,
      e.customer_id, e.maybe_twice, e.is_first
    FROM runs o JOIN run_effects e ON e.run_id = o.id AND e.id <= ${upto} WHERE o.lineage_id = ${from} ORDER BY e.id`.execute(db);
}
