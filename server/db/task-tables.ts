import type { Generated } from 'kysely';

/** Tasks and their runs; written as tables.ts says. */

export type TaskTables = {
  tasks: TasksTable;
  task_versions: TaskVersionsTable;
  version_approvals: VersionApprovalsTable;
  lineages: LineagesTable;
  runs: RunsTable;
  run_events: RunEventsTable;
  run_claims: RunClaimsTable;
  run_results: RunResultsTable;
  journal: JournalTable;
  run_effects: RunEffectsTable;
  planned_writes: PlannedWritesTable;
  run_permissions: RunPermissionsTable;
  started_calls: StartedCallsTable;
  lineage_memory: LineageMemoryTable;
  artifacts: ArtifactsTable;
  run_prompts: RunPromptsTable;
  recorded_epochs: RecordedEpochsTable;
  recorded_answers: RecordedAnswersTable;
  replay_calls: ReplayCallsTable;
  runners: RunnersTable;
};

type TasksTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  description: string;
  description_folded: string;
  current_version_id: number | null;
  settings: string;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type TaskVersionsTable = {
  id: Generated<number>;
  task_id: number;
  version: number;
  source_code: string;
  source_sha256: string;
  permissions: string;
  parameters: string;
  warnings: string;
  created_by: number;
  /** null while the version may not run. */
  approved_by: number | null;
  approved_at: string | null;
  revoked_at: string | null;
  rejected_at: string | null;
  created_at: string;
};

/** What was decided on versions; rows are never changed. */
type VersionApprovalsTable = {
  id: Generated<number>;
  task_id: number;
  version_id: number;
  source_sha256: string;
  permissions: string;
  decision: string;
  admin_id: number;
  comment: string | null;
  at: string;
};

/** A run and all that it was resumed from (automation.md §5). */
type LineagesTable = {
  id: string;
  seed: string;
  epoch: number;
  epoch_started_at: string;
  /** Bytes of the calls that are noted in this epoch, but for the last few small ones. */
  journal_bytes: number;
  /** Bytes of all that `once` and long sleeps keep. */
  memory_bytes: Generated<number>;
  /** Calls of the scripts of its latest run, and writes of all its runs, against `limits`. */
  host_calls: Generated<number>;
  writes: Generated<number>;
  /** Tokens of completions, against `limits.llm_tokens`. */
  llm_tokens: Generated<number>;
  /** JSON: what the versions of its runs may do, and those whose runs it takes answers from; null: what the version of the run may. */
  permissions: Generated<string | null>;
  /** Records that the later calls of a dry run have changed again. */
  carried_out_again: Generated<number>;
};

type RunsTable = {
  id: Generated<number>;
  task_id: number;
  version_id: number;
  lineage_id: string;
  status: string;
  parameters: string;
  last_checkpoint: string | null;
  error_message: string | null;
  started_at: string;
  finished_at: string | null;
  attempt: number;
  dry_run: number;
  record: number;
  priority: number;
  executor: 'runner' | 'external';
  /** The claim in force; null: nobody drives the run. */
  claim_id: number | null;
  claimed_by: string | null;
  claimed_at: string | null;
  resumed_from_run_id: number | null;
  resumed_by_run_id: number | null;
  started_by: string;
  /** The admin whose act the run's writes are. */
  started_by_admin_id: number;
  /** 1 once a runner has sent an event or made a host call. */
  reported: number;
  end_reason: string | null;
  isolation: string;
  progress: string | null;
  result: string | null;
  log_lines: number;
  log_bytes: number;
  concurrency_key: string | null;
  concurrency_limit: number | null;
  /** The run that carried out the plan of this dry run. */
  applied_by_run_id: Generated<number | null>;
  /** The recorded run that this one carries out again with nothing live. */
  replay_of_run_id: number | null;
  /** The epoch of the lineage in which it began. */
  first_epoch: Generated<number>;
  /** When the client that drives it was last heard of, in milliseconds since 1970 by the database's clock; null: no client does. */
  client_seen_ms: Generated<number | null>;
  row_version: Generated<number>;
};

type RunEventsTable = { run_id: number; seq: number; at: string; line: string };

type RunClaimsTable = {
  id: Generated<number>;
  run_id: number;
  lineage_id: string;
  attempt: number;
  /** Of the token that goes with what the script asks. */
  token_hash: string;
  /** Of the runner's own. */
  report_token_hash: Generated<string | null>;
  runner_name: string;
  claimed_at: string;
  /** Milliseconds since 1970 by the database's clock. */
  lease_until: number;
  confirmed: number;
  ended_at: string | null;
  /** What the run has used, earlier claims included, as its runner last told. */
  cpu_ms: Generated<number>;
  wall_ms: Generated<number>;
  host_calls: Generated<number>;
  /** Limits that the claim was given; null: none. */
  max_host_calls: Generated<number | null>;
  max_writes: Generated<number | null>;
  max_log_bytes: Generated<number | null>;
  /** Lines that the log of the run had when it was claimed. */
  log_from: Generated<number>;
  /** The epoch in which it began; null where that was not noted yet. */
  epoch: Generated<number | null>;
};

/** Result events already kept: once per epoch, content and occurrence. `asked_by_claim_id`: the latest claim that told it. */
type RunResultsTable = { lineage_id: string; key: string; run_id: Generated<number>; asked_by_claim_id: Generated<number> };

type JournalTable = {
  lineage_id: string;
  epoch: number;
  /** `<fingerprint>/<occurrence>`. */
  key: string;
  claim_id: number;
  /** The latest claim that has asked for this row; with a minus, one that need not, since a `once` keeps what it was made for. */
  asked_by_claim_id: number;
  is_write: number;
  method: string;
  path: string;
  /** Request body of a write. */
  body: string | null;
  status: number;
  etag: string | null;
  location: string | null;
  /** Answer; in `answer_gzip` where over 64 KiB. */
  answer: string | null;
  answer_gzip: Buffer | null;
  at: string;
};

/** A call that asks somebody outside, begun and not noted in the journal: what became of it is not known (automation.md §5). */
type StartedCallsTable = {
  /** Names the call and its repeats. */
  scope: string;
  lineage_id: string;
  epoch: number;
  /** The latest claim that has asked for it. */
  claim_id: number;
  is_write: number;
  method: string;
  path: string;
  body: string | null;
  /** What the completion under way may cost. */
  llm_tokens: Generated<number>;
  at: string;
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
  /** 1: an earlier request made it too, as far as anybody knows. */
  maybe_twice: Generated<number>;
  /** 1: the first of its call. */
  is_first: Generated<number>;
};

/** What a dry run would write, in its order. */
type PlannedWritesTable = {
  lineage_id: string;
  position: number;
  method: string;
  path: string;
  body: string | null;
  /** JSON: what was worked out before its transaction. */
  warnings: string;
  /** 1: it asks somebody outside the shop, and so was answered by a sample. */
  is_outside: number;
  /** Its time, at each pass. */
  at: string;
  status: number;
  answer: string | null;
  /** JSON: what it would change, as `run_effects` keeps it. */
  effects: string;
};

/** Permissions that a run's calls needed, for whoever narrows a version. */
type RunPermissionsTable = { run_id: number; permission: string };

/** A file that a run wrote; belongs to the lineage. */
type ArtifactsTable = {
  id: Generated<number>;
  lineage_id: string;
  run_id: number;
  name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  storage_key: string;
  created_at: string;
};

/** What a run asks a person; belongs to the lineage. */
type RunPromptsTable = {
  id: Generated<number>;
  lineage_id: string;
  /** `<epoch>/<fingerprint>/<occurrence>`. */
  key: string;
  run_id: number;
  /** The latest run of the lineage that asked it, and when it began to. */
  asked_by_run_id: number;
  asked_at: string;
  asked_by_claim_id: Generated<number>;
  label: string;
  fields: string;
  answers: string | null;
  created_at: string;
  answered_at: string | null;
  answered_by: number | null;
  /** The run's claim, in force or given back, at that moment. */
  answered_claim_id: Generated<number | null>;
};

/** `claim_id`: whose value it is; `asked_by_claim_id`: the latest claim that asked for it. */
type LineageMemoryTable = {
  lineage_id: string;
  name: string;
  value: string;
  claim_id: Generated<number>;
  asked_by_claim_id: Generated<number>;
  /** JSON of `CallsMade`: what the script called meanwhile, of a `once`. */
  made: Generated<string | null>;
};

/** Of recorded runs and of replays. */
type RecordedEpochsTable = {
  lineage_id: string;
  epoch: number;
  started_at: string;
  /** The state that the epoch began with. */
  checkpoint: string | null;
  /** The claim whose checkpoint ended it, and the lines of its run's log at that moment. */
  ended_by_claim_id: number | null;
  ended_log_lines: number | null;
};

/** The calls of a recorded run's claim in the order in which the script got their answers. `again` 1: a checkpoint that was stored before. */
type RecordedAnswersTable = { claim_id: number; position: number; call: string; now_ms: number | null; again: Generated<number> };

/** The calls of a replay, and the recorded call whose answer each was given. */
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

type RunnersTable = {
  name: string;
  version: string;
  isolation: string;
  slots: number;
  /** Milliseconds since 1970 by the database's clock. */
  last_seen: number;
};
