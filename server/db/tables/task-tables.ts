import type { Generated } from 'kysely';

/** Tasks and their runs, in the form that tables.ts describes. */

export type TaskTables = {
  tasks: TasksTable;
  task_state: TaskStateTable;
  task_state_marks: TaskStateMarksTable;
  task_versions: TaskVersionsTable;
  version_approvals: VersionApprovalsTable;
  lineages: LineagesTable;
  run_chains: RunChainsTable;
  compiled_sources: CompiledSourcesTable;
  runs: RunsTable;
  run_details: RunDetailsTable;
  run_figures: RunFiguresTable;
  run_events: RunEventsTable;
  run_checkpoints: RunCheckpointsTable;
  run_claims: RunClaimsTable;
  run_permissions: RunPermissionsTable;
  artifacts: ArtifactsTable;
  run_prompts: RunPromptsTable;
  run_signals: RunSignalsTable;
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
  /** The admin for whom the runs of its error handler act, and whether that admin might read any file; null: it has no handler. */
  handler_acts_for: Generated<number | null>;
  handler_reads_files: Generated<number>;
  /** As in the settings, for the search for runs that may be stuck. */
  stuck_minutes: Generated<number | null>;
  /** The admin whose drafts without a task run dry as this one's; no list shows it. null: it is a task of the shop. */
  drafts_of: Generated<number | null>;
  /** 1: it stands for a script that is to run once; no list shows it, and it has one version. */
  one_off: Generated<number>;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type TaskVersionsTable = {
  id: Generated<number>;
  task_id: number;
  /**
   * null: a draft, which only dry runs execute. It is stored as rejected, so nothing that looks for a pending or approved version finds it.
   */
  version: number | null;
  source_code: string;
  source_sha256: string;
  permissions: string;
  parameters: string;
  /** JSON, as the three lists below: the grants. */
  mail_to: string;
  http_allow: string;
  secrets: string;
  may_start: string;
  warnings: string;
  created_by: number;
  /** What the author says about the version. */
  note: string | null;
  /** JSON: the read permissions that its author and its approver had when they saved and approved it; null: this is not known. */
  may_read: Generated<string | null>;
  /** `mcp`: an agent wrote the version; `assistant`: an admin with the assistant; null: a person did. */
  created_via: Generated<'mcp' | 'assistant' | null>;
  /** How the agent is called, such as "Eszter's agent «laptop»". */
  created_by_agent: Generated<string | null>;
  /** JSON: what the agent's dry run of the version showed. */
  evidence: Generated<string | null>;
  /** The newest request for changes, among its decisions; null: there was none. */
  change_request_id: Generated<number | null>;
  /** null while the version may not run. */
  approved_by: number | null;
  approved_at: string | null;
  revoked_at: string | null;
  rejected_at: string | null;
  created_at: string;
};

/** A value that runs of a task keep for later runs. */
type TaskStateTable = {
  task_id: number;
  key: string;
  /** JSON. */
  value: string;
  version: number;
  size_bytes: number;
  updated_at: string;
  /** null: an admin wrote the value. */
  updated_by_run_id: number | null;
};

type TaskStateMarksTable = {
  task_id: number;
  /** The highest version of any deleted value; a new value gets a higher one. */
  deleted_version: number;
  /** JSON: the permissions of all runs that have written a value, because a value may hold whatever its writer could read. */
  permissions: string;
};

/** Decisions on versions; rows are never changed. */
type VersionApprovalsTable = {
  id: Generated<number>;
  task_id: number;
  version_id: number;
  source_sha256: string;
  permissions: string;
  mail_to: string;
  http_allow: string;
  secrets: string;
  may_start: string;
  decision: string;
  admin_id: number;
  comment: string | null;
  at: string;
};

/** What was compiled of a version's source, by which format of the compiler; empty: the source has faults. */
type CompiledSourcesTable = { version_id: number; format: number; code: string };

/** How many runs a lineage, and all to whose runs it has led, have started. */
type RunChainsTable = { root_id: string; starts: number };

/** A run and all runs that it was resumed from (spec JO2). */
type LineagesTable = {
  id: string;
  seed: string;
  epoch: number;
  epoch_started_at: string;
  /** Bytes of the calls in this epoch's journal, without the last few small ones. */
  journal_bytes: number;
  /** Bytes of everything that `once` and long sleeps keep. */
  memory_bytes: Generated<number>;
  /** Calls of the script in the latest run, and writes of all runs; they count against `limits`. */
  host_calls: Generated<number>;
  writes: Generated<number>;
  /** When the script made its latest call, in milliseconds since 1970 by the database's clock; 0: none is known. */
  called_ms: Generated<number>;
  /** Tokens of completions; they count against `limits.llm_tokens`. */
  llm_tokens: Generated<number>;
  /** Notifications that the script wrote, in all runs. */
  notifications: Generated<number>;
  /** Mails that the script wrote, in all runs. */
  mails: Generated<number>;
  /** Runs that the script started, in all runs. */
  starts: Generated<number>;
  /** Number of runs above it, each of which started the next one. */
  depth: Generated<number>;
  /** The lineage whose run has led to this one, by any number of steps; null: none has. */
  root_id: Generated<string | null>;
  /**
   * JSON: the permissions of all versions whose answers the lineage holds, including runs that it takes answers from; null: those of the
   * run's version.
   */
  permissions: Generated<string | null>;
  /** Number of records that later calls of a dry run have changed again. */
  carried_out_again: Generated<number>;
  /** JSON of `ShopFacts`, as the settings were when the lineage began; null: it is older than this column, or runs no script. */
  shop: Generated<string | null>;
  /** When its first run began, of a replay that of the recorded lineage; null: it is older than this column. */
  began_at: Generated<string | null>;
};

type RunsTable = {
  id: Generated<number>;
  task_id: number;
  version_id: number;
  lineage_id: string;
  status: string;
  parameters: string;
  /** 1: a script or another system has chosen the parameters, so that they are withheld as the output of the run is. */
  foreign_parameters: Generated<number>;
  /** 1: texts about people are hidden from the script, because an agent that may not see them started the run. */
  hides_people: Generated<number>;
  /** The token of the agent that started the run; null: a person, or the server, did. */
  agent_token_id: Generated<number | null>;
  /** When no runner takes it any more that has not done so before, by the database's clock; null: it waits for ever, or was taken. */
  start_by_ms: Generated<number | null>;
  /** The run that this one takes back: of a plan, and of the run that applies it. */
  undo_of_run_id: Generated<number | null>;
  last_checkpoint: string | null;
  error_message: string | null;
  started_at: string;
  finished_at: string | null;
  attempt: number;
  dry_run: number;
  record: number;
  priority: number;
  executor: 'runner' | 'external';
  /** The claim in force; null: no runner drives the run. */
  claim_id: number | null;
  claimed_by: string | null;
  claimed_at: string | null;
  resumed_from_run_id: number | null;
  resumed_by_run_id: number | null;
  /** The run from whose checkpoint, the one with the number `restarted_from_epoch`, this run was started; null: from none. */
  restarted_from_run_id: Generated<number | null>;
  restarted_from_epoch: Generated<number | null>;
  started_by: string;
  /** The admin for whom the run acts. */
  started_by_admin_id: number;
  /** 1 after a runner has sent an event or made a host call. */
  reported: number;
  end_reason: string | null;
  isolation: string;
  progress: string | null;
  result: string | null;
  log_lines: number;
  log_bytes: number;
  /** Number of calls that the log reports. */
  log_calls: Generated<number>;
  concurrency_key: string | null;
  concurrency_limit: number | null;
  /** The span of the request that opened the run, as the W3C header `traceparent`; null: there was no tracing, or no request. */
  traceparent: Generated<string | null>;
  /** The run that applied the plan of this dry run. */
  applied_by_run_id: Generated<number | null>;
  /** The recorded run that this run replays. */
  replay_of_run_id: number | null;
  /** The epoch of the lineage in which the run began. */
  first_epoch: Generated<number>;
  /**
   * When the client that drives the run was last heard of, in milliseconds since 1970 by the database's clock; null: no client drives it.
   */
  client_seen_ms: Generated<number | null>;
  /** How many of the run's attempts were retries; `attempt` counts recoveries too. */
  retries: Generated<number>;
  /** The most attempts that the run may come to, as the latest retry found; null: there was none. */
  attempts: Generated<number | null>;
  /** When the next attempt begins, in milliseconds since 1970 by the database's clock; null: the run does not wait for one. */
  retry_due_ms: Generated<number | null>;
  /** When the run gave its latest sign of progress besides calls, in milliseconds since 1970; 0: none is known. */
  sign_ms: Generated<number>;
  /** The sign after which somebody was told that the run may be stuck. */
  stuck_told_ms: Generated<number>;
  /** The error with which the run ended; null: it has not ended badly, or before there were errors. */
  error_id: Generated<number | null>;
  /** One line that the script says of the run. */
  description: Generated<string | null>;
  /** How often the details were set, so that a stream sees that there are others; `run_details` has them. */
  details_number: Generated<number>;
  row_version: Generated<number>;
};

/** The Markdown that a script shows of its run. */
type RunDetailsTable = { run_id: number; markdown: string };

/** What a run that has ended was like (server/automation/runs/health). `day`: of its end, in the time zone that the shop had. */
type RunFiguresTable = {
  run_id: number;
  task_id: number;
  version_id: number;
  day: string;
  outcome: 'success' | 'failure' | 'cancelled' | 'other';
  /** Numbers of buckets; null: not measured. */
  took_bucket: number | null;
  waited_bucket: number | null;
  effects: number;
  llm_tokens: number;
};

type RunEventsTable = {
  run_id: number;
  seq: number;
  at: string;
  line: string;
  /** Number of the call that the line reports; null: the line reports none, or is older than this column. */
  call_number: Generated<number | null>;
  /** When that call was sent, as far as is known. */
  call_at: Generated<string | null>;
  duration_ms: Generated<number | null>;
  epoch: Generated<number | null>;
  /** Who wrote the line: `run`, what drives the run; `server`, the server itself; null: the line is older than this column. */
  source: Generated<'run' | 'server' | null>;
};

/** That a checkpoint was stored. `epoch`: the epoch that it began. */
type RunCheckpointsTable = { run_id: number; epoch: number; at: string; bytes: number; attempt: number };

type RunClaimsTable = {
  id: Generated<number>;
  run_id: number;
  lineage_id: string;
  attempt: number;
  /** Hash of the call token, which goes with the script's calls. */
  token_hash: string;
  /** Hash of the report token, which the runner itself uses. */
  report_token_hash: Generated<string | null>;
  runner_name: string;
  claimed_at: string;
  /** Milliseconds since 1970 by the database's clock. */
  lease_until: number;
  confirmed: number;
  ended_at: string | null;
  /** What the run has used, including earlier claims, as its runner last reported it. */
  cpu_ms: Generated<number>;
  wall_ms: Generated<number>;
  host_calls: Generated<number>;
  /** Limits that the claim was given; null: no limit. */
  max_host_calls: Generated<number | null>;
  max_writes: Generated<number | null>;
  max_log_bytes: Generated<number | null>;
  /** Number of lines in the run's log when the run was claimed. */
  log_from: Generated<number>;
  /** The epoch in which the claim began; null for claims older than this column. */
  epoch: Generated<number | null>;
  /** What the table `crash_signs` said at the run's first read in this claim; null: none, or SQLite. */
  crash_sign: Generated<string | null>;
  /** JSON of what the script had said when the claim was given back to wait, until the next one has it too; null: nothing is known. */
  said: Generated<string | null>;
};

/** Permissions that a run's calls needed; they show which permissions a version could do without. */
type RunPermissionsTable = { run_id: number; permission: string };

/** A file that a run wrote; it belongs to the lineage. */
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

/** A question that a run asks a person; it belongs to the lineage. */
type RunPromptsTable = {
  id: Generated<number>;
  lineage_id: string;
  /** `<epoch>/<fingerprint>/<occurrence>`. */
  key: string;
  run_id: number;
  /** The latest run of the lineage that asked the question, and when it began to ask. */
  asked_by_run_id: number;
  asked_at: string;
  asked_by_claim_id: Generated<number>;
  label: string;
  fields: string;
  answers: string | null;
  created_at: string;
  answered_at: string | null;
  answered_by: number | null;
  /** The run's claim at the time of the answer, whether in force or given back. */
  answered_claim_id: Generated<number | null>;
  /** The run whose end is waited for; null: a person is asked; 0: the run waits for what `awaits` says. */
  awaits_run_id: Generated<number | null>;
  /** `sleep`, a type of event, `hook:<name>`, `signal` or `signal:<key>`. */
  awaits: Generated<string | null>;
  /** JSON: the filter that the event must pass. */
  match: Generated<string | null>;
  /** What may end the wait, as an index finds it (trigger-queue/rules.ts). */
  found_by: Generated<string | null>;
  /** When the wait ends in any case, by the database's clock. */
  due_ms: Generated<number | null>;
  /** The snapshot of the look for earlier events, until no write is open that may not have seen the wait; null: nothing was missed. */
  open_writes: Generated<string | null>;
  /** The latest epoch that began while the wait was open; null: none did. */
  open_in: Generated<number | null>;
  /** 1: the answer is there, and its run has not been told yet. */
  wakes: Generated<number>;
};

/** A signal that is kept until a run waits for it. `permissions`: JSON, what the run could read that sent it. */
type RunSignalsTable = {
  id: Generated<number>;
  task_id: number;
  /** null: for any run of the task. */
  lineage_id: string | null;
  key: string;
  value: string;
  permissions: string;
  at: string;
};

type RunnersTable = {
  name: string;
  version: string;
  isolation: string;
  slots: number;
  /** Milliseconds since 1970 by the database's clock. */
  last_seen: number;
};
