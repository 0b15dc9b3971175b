import type { Generated } from 'kysely';

/** The plans of dry runs, the recordings of runs, and their replays, in the form that tables.ts describes. */

export type TrialTables = {
  planned_writes: PlannedWritesTable;
  recorded_epochs: RecordedEpochsTable;
  recorded_answers: RecordedAnswersTable;
  replay_calls: ReplayCallsTable;
};

/** The planned writes of a dry run, in order. */
type PlannedWritesTable = {
  lineage_id: string;
  position: number;
  method: string;
  path: string;
  body: string | null;
  /** JSON: what was prepared before the write's transaction. */
  warnings: string;
  /** 1: the write asks somebody outside the shop, so it was answered by a sample. */
  is_outside: number;
  /** The time of the write, the same in each pass. */
  at: string;
  status: number;
  answer: string | null;
  /** JSON: the effects that the write would have, as in `run_effects`. */
  effects: string;
};

/** The epochs of recorded runs and of replays. */
type RecordedEpochsTable = {
  lineage_id: string;
  epoch: number;
  started_at: string;
  /** The checkpoint with which the epoch began. */
  checkpoint: string | null;
  /** The claim whose checkpoint ended the epoch, and the number of lines in its run's log at that time. */
  ended_by_claim_id: number | null;
  ended_log_lines: number | null;
};

/**
 * The calls of a recorded run's claim, in the order in which the script got their answers. `again` 1: a checkpoint that was stored before.
 */
type RecordedAnswersTable = { claim_id: number; position: number; call: string; now_ms: number | null; again: Generated<number> };

/** The calls of a replay, with the recorded call whose answer each one got. */
type ReplayCallsTable = {
  id: Generated<number>;
  run_id: number;
  epoch: number;
  key: string;
  method: string;
  path: string;
  body: string | null;
  is_write: number;
  outcome: 'same' | 'changed' | 'added';
  recorded_epoch: number | null;
  recorded_key: string | null;
};
