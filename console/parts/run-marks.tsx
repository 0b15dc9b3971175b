import type { Run } from '../../contract/runs.ts';
import { runPartsText as t } from '../texts/run-parts.ts';
import '../ui/list.css';

/** Marks of a run that does not change the shop, that started again from another, takes another back or was taken back. */
export function RunMarks({
  run,
}: {
  run: Pick<Run, 'dry_run' | 'replay_of_run_id' | 'restarted_from' | 'undo_of_run_id' | 'undone_by_run_id'>;
}) {
  const { undo_of_run_id: undone, undone_by_run_id: undoneBy } = run;
  return (
    <>
      {run.dry_run ? <span className="tag dry">{undone === null ? t.dryRun : t.undoPlan(undone)}</span> : null}
      {undone === null || run.dry_run ? null : <span className="tag">{t.undoOf(undone)}</span>}
      {undoneBy === null ? null : <span className="tag">{t.undoneBy(undoneBy)}</span>}
      {run.replay_of_run_id === null ? null : <span className="tag">{t.replay}</span>}
      {run.restarted_from === null ? null : <span className="tag">{t.restarted(run.restarted_from.run_id)}</span>}
    </>
  );
}
