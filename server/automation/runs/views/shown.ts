import { z } from 'zod';
import type { Permission } from '../../../../contract/permissions.ts';
import { EndReason, Json } from '../../../../contract/run-events.ts';
import type { Run, RunRow } from '../../../../contract/runs.ts';
import { withoutSecretMarks } from '../../../../contract/secret-rules.ts';
import { type Ctx, isBlind } from '../../../verbs/context.ts';
import { missingReads } from '../rows/output-permissions.ts';
import type * as store from '../rows/store.ts';
import * as lists from './list-store.ts';
import { type Waiting, waitingReasons } from './waiting-reasons.ts';

/** How runs are shown to the caller; whoever lacks a permission that a run's script had sees nothing that the script reported. */
export type Shown = {
  /** The permissions that the caller lacks to see the run's output. */
  withheld(row: store.RunRow): Permission[];
  row(row: store.RunRow): RunRow;
  /** The fields that lists of all tasks' runs leave out. */
  long(row: store.RunRow, log: string): Pick<Run, 'log' | 'last_checkpoint'>;
};

const Progress = z.object({ current: z.int(), total: z.int(), label: z.string() });
const Layers = z.array(z.string());

/** Looks up what these runs show besides their own columns, each kind for all of them at once. */
export async function showing(ctx: Ctx, rows: readonly store.RunRow[]): Promise<Shown> {
  const ids = rows.map(({ id }) => id);
  const missing = await missingReads(ctx.db, ctx.actor, ids);
  const names = await lists.selectNames(ctx.db, ids);
  const undone = await lists.selectUndone(ctx.db, ids);
  const waiting = await waitingReasons(ctx, rows);
  const withheld: Shown['withheld'] = ({ id }) => missing.get(id) ?? [];
  const showsGiven = !isBlind(ctx.actor);
  return {
    withheld,
    row: (row) =>
      rowOf(row, {
        ...{ waiting: waiting(row), withheld: withheld(row), names: names.get(row.id), showsGiven },
        undoneBy: undone.get(row.id) ?? null,
      }),
    long: (row, log) => {
      const told = withheld(row).length === 0;
      return {
        log: told ? log : '',
        last_checkpoint: told && row.last_checkpoint !== null ? withoutSecretMarks(row.last_checkpoint) : null,
      };
    },
  };
}

/** `showsGiven`: whether the caller may see what a person has given to a run, which may be about people. */
type Known = Pick<Run, 'withheld'> & { waiting: Waiting; names: lists.Names | undefined; showsGiven: boolean; undoneBy: number | null };

function rowOf(row: store.RunRow, { waiting, withheld, names, showsGiven, undoneBy }: Known): RunRow {
  const told = withheld.length === 0;
  return {
    id: row.id,
    task_id: row.task_id,
    task_name: names?.task_name ?? '',
    version_id: row.version_id,
    draft: names?.version === null,
    version: names?.version ?? null,
    status: row.status,
    parameters: row.hides_people === 1 || (showsGiven && (told || row.foreign_parameters === 0)) ? row.parameters : '{}',
    error_message: told ? row.error_message : null,
    started_at: row.started_at,
    finished_at: row.finished_at,
    attempt: row.attempt,
    attempts: row.attempts,
    next_attempt_at: row.retry_due_ms === null ? null : new Date(row.retry_due_ms).toISOString(),
    dry_run: row.dry_run === 1,
    executor: row.executor,
    claimed_by: row.claimed_by,
    claimed_at: row.claimed_at,
    resumed_from_run_id: row.resumed_from_run_id,
    resumed_by_run_id: row.resumed_by_run_id,
    restarted_from: restartOf(row.restarted_from_run_id, row.restarted_from_epoch),
    record: row.record === 1,
    replay_of_run_id: row.replay_of_run_id,
    applied_by_run_id: row.applied_by_run_id,
    undo_of_run_id: row.undo_of_run_id,
    undone_by_run_id: undoneBy,
    started_by: row.started_by,
    waiting_reason: waiting.reason,
    waiting_for: told ? waiting.awaits : null,
    waiting_until: told ? waiting.until : null,
    end_reason: row.end_reason === null ? null : EndReason.parse(row.end_reason),
    error_id: row.error_id,
    isolation: Layers.parse(JSON.parse(row.isolation)),
    progress: row.progress === null || !told ? null : Progress.parse(JSON.parse(row.progress)),
    description: told ? row.description : null,
    result: row.result === null || !told ? null : Json.parse(JSON.parse(row.result)),
    withheld,
  };
}

export function restartOf(run_id: number | null, checkpoint: number | null): Run['restarted_from'] {
  return run_id === null || checkpoint === null ? null : { run_id, checkpoint };
}
