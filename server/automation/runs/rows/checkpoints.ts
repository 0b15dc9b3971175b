import { EFFECTS_AFTER_BYTES, EFFECTS_AFTER_MAX, type EffectsAfter } from '../../../../contract/run-checkpoints.ts';
import type { Db } from '../../../db/open.ts';
import type { Row } from '../../../db/tables.ts';
import { Refusal } from '../../../verbs/problem.ts';
import * as checkpoints from './checkpoint-store.ts';
import { effectOf } from './effects.ts';

/** The state of a checkpoint that the run's lineage has stored. */
export async function requireState(db: Db, run: Pick<Row<'runs'>, 'id' | 'lineage_id'>, epoch: number): Promise<checkpoints.StoredState> {
  const stored = await checkpoints.selectState(db, { lineageId: run.lineage_id, epoch });
  if (stored) return stored;
  throw new Refusal('checkpoint_expired', `The state of checkpoint ${epoch} of run ${run.id} is no longer kept.`);
}

/** What was written after a checkpoint. A dry run has written nothing. */
export async function effectsAfter(
  db: Db,
  run: Pick<Row<'runs'>, 'lineage_id' | 'dry_run'>,
  { effects_upto: upto }: Pick<checkpoints.StoredState, 'effects_upto'>,
): Promise<EffectsAfter> {
  if (run.dry_run === 1) return { total: 0, data: [] };
  const since = { lineageId: run.lineage_id, upto };
  const sizes = await checkpoints.selectSizesAfter(db, { ...since, limit: EFFECTS_AFTER_MAX });
  let bytes = 0;
  const shown = sizes.filter((one, n) => {
    bytes += one.bytes;
    return n === 0 || bytes <= EFFECTS_AFTER_BYTES;
  });
  const rows = await checkpoints.selectEffectsOf(
    db,
    shown.map(({ id }) => id),
  );
  return { total: (await checkpoints.countEffectsAfter(db, since))?.total ?? 0, data: rows.map(effectOf) };
}
