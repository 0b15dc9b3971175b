import type { Generated } from 'kysely';

/** What a lineage has done and is to remember when its next run goes on, in the form that tables.ts describes. */

export type LineageTables = {
  run_results: RunResultsTable;
  journal: JournalTable;
  started_calls: StartedCallsTable;
  answer_orders: AnswerOrdersTable;
  run_effects: RunEffectsTable;
  effect_images: EffectImagesTable;
  lineage_memory: LineageMemoryTable;
  lineage_checkpoints: LineageCheckpointsTable;
};

/**
 * Keys of the result events that are already stored: one for each epoch, content and occurrence. `asked_by_claim_id`: the latest claim that
 * reported it.
 */
type RunResultsTable = { lineage_id: string; key: string; run_id: Generated<number>; asked_by_claim_id: Generated<number> };

type JournalTable = {
  lineage_id: string;
  epoch: number;
  /** `<fingerprint>/<occurrence>`. */
  key: string;
  claim_id: number;
  /**
   * The latest claim that asked for this row. A negative id: the call was made inside a `once` whose value is kept, so no later claim has
   * to ask for it again.
   */
  asked_by_claim_id: number;
  is_write: number;
  method: string;
  path: string;
  /** The request body of a write. */
  body: string | null;
  status: number;
  etag: string | null;
  location: string | null;
  /** The body of the answer; one of more than 64 KiB is in `answer_gzip` instead. */
  answer: string | null;
  answer_gzip: Buffer | null;
  at: string;
  /** 1: the answer is a refusal, but the request had left the house, so it may have had its effect. */
  sent: Generated<number>;
  /**
   * 1: a refusal that answers this attempt and replays, and a later attempt only where the script had gone on from it; 2: replays alone, as the
   * script itself has ended the attempt. Its key has the claim's id at the end.
   */
  passing: Generated<number>;
};

/** A call that asks somebody outside, which has begun and is not yet in the journal; its outcome is not known (spec JO9). */
type StartedCallsTable = {
  /** A key that the call shares with its repeats. */
  scope: string;
  lineage_id: string;
  epoch: number;
  /** The latest claim that made the call. */
  claim_id: number;
  is_write: number;
  method: string;
  path: string;
  body: string | null;
  /** The most tokens that a completion under way may cost. */
  llm_tokens: Generated<number>;
  at: string;
  /** The effect that shows the call's request while its answer is awaited. */
  effect_id: Generated<number | null>;
};

/** A part of the order in which the script of a claim got its answers in an epoch; such parts may overlap. */
type AnswerOrdersTable = {
  lineage_id: string;
  epoch: number;
  claim_id: number;
  /** The number of the part's last answer. */
  upto: number;
  /** `<place in the order of earlier claims>/<name of the call>`, separated by commas. */
  names: string;
};

type RunEffectsTable = {
  id: Generated<number>;
  run_id: number;
  lineage_id: string;
  method: string;
  path: string;
  status: number;
  resource_type: string;
  resource_id: number | null;
  customer_id: number | null;
  changes: string;
  at: string;
  /** 1: an earlier request may have had the same effect, which cannot be found out. */
  maybe_twice: Generated<number>;
  /** 1: the first effect of its call. */
  is_first: Generated<number>;
};

/** The rows that a write of a run changed; they are of its first effect. */
type EffectImagesTable = {
  effect_id: number;
  /** JSON: `RowImage[]`; null: there was too much to keep, or it was about a person who was forgotten. */
  images: string | null;
};

/**
 * A value that `once` or a long sleep keeps. `claim_id`: the claim that stored it; `asked_by_claim_id`: the latest claim that asked for it.
 */
type LineageMemoryTable = {
  lineage_id: string;
  name: string;
  value: string;
  claim_id: Generated<number>;
  asked_by_claim_id: Generated<number>;
  /** For a `once`: JSON of `CallsMade`, the calls that its function made. */
  made: Generated<string | null>;
  /** The epoch in which it was stored; null: before this column. */
  epoch: Generated<number | null>;
};

/**
 * The state of a checkpoint from which a run may restart. `effects_upto`: the id of the lineage's last effect before it, else 0;
 * `planned_upto`: of a dry run, the position of the last write that was planned before it.
 */
type LineageCheckpointsTable = {
  lineage_id: string;
  epoch: number;
  state: string;
  bytes: number;
  effects_upto: number;
  planned_upto: number;
};
