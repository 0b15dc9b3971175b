import type { Statement } from '../dialect.ts';
import { runsToExpire } from './gathered-starts.ts';

const waiting = `status = 'running' AND claim_id IS NULL`;

export const lineageCheckpoints: Statement = `CREATE TABLE lineage_checkpoints (
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    state TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    effects_upto INTEGER NOT NULL,
    planned_upto INTEGER NOT NULL,
    PRIMARY KEY (lineage_id, epoch)
  ) STRICT`;
/** Signals that no run has waited for yet: for the runs of a lineage, or else for any of a task. */
export const signals: readonly Statement[] = [
  `CREATE TABLE run_signals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    lineage_id TEXT REFERENCES lineages (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    permissions TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_signals_by_lineage ON run_signals (lineage_id, key, id) WHERE lineage_id IS NOT NULL`,
  `CREATE INDEX run_signals_by_task ON run_signals (task_id, key, id)`,
  `CREATE INDEX run_signals_by_time ON run_signals (at, id)`,
];

/** Questions and waits that are open; those that rest are found only when their time or their event comes. */
export const waitIndexes: readonly Statement[] = [
  `CREATE INDEX run_prompts_due ON run_prompts (asked_at) WHERE answered_at IS NULL AND awaits_run_id IS NULL`,
  `CREATE INDEX run_prompts_awaits ON run_prompts (awaits_run_id) WHERE awaits_run_id IS NOT NULL AND answered_at IS NULL`,
  `CREATE INDEX run_prompts_found ON run_prompts (found_by) WHERE found_by IS NOT NULL AND answered_at IS NULL`,
  `CREATE INDEX run_prompts_ends ON run_prompts (due_ms) WHERE due_ms IS NOT NULL AND answered_at IS NULL`,
  `CREATE INDEX run_prompts_unsettled ON run_prompts (id) WHERE open_writes IS NOT NULL`,
  `CREATE INDEX run_prompts_wakes ON run_prompts (id) WHERE wakes = 1`,
];

/** The open waits of a run, however many it has had. */
export const openWaits: Statement = `CREATE INDEX run_prompts_waits ON run_prompts (lineage_id) WHERE awaits IS NOT NULL AND answered_at IS NULL`;

/** Runs, with their lineages, claims, logs, questions and files. */
export const runs: readonly Statement[] = [
  `CREATE TABLE lineages (
    id TEXT PRIMARY KEY,
    seed TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    epoch_started_at TEXT NOT NULL,
    journal_bytes INTEGER NOT NULL,
    carried_out_again INTEGER NOT NULL DEFAULT 0,
    llm_tokens INTEGER NOT NULL DEFAULT 0,
    memory_bytes INTEGER NOT NULL DEFAULT 0,
    host_calls INTEGER NOT NULL DEFAULT 0,
    writes INTEGER NOT NULL DEFAULT 0,
    permissions TEXT,
    mails INTEGER NOT NULL DEFAULT 0,
    notifications INTEGER NOT NULL DEFAULT 0,
    called_ms INTEGER NOT NULL DEFAULT 0,
    starts INTEGER NOT NULL DEFAULT 0,
    depth INTEGER NOT NULL DEFAULT 0,
    root_id TEXT,
    shop TEXT,
    began_at TEXT
  ) STRICT`,
  `CREATE INDEX lineages_kept ON lineages (epoch_started_at) WHERE seed <> ''`,
  // How many runs the scripts of a chain have started.
  `CREATE TABLE run_chains (
    root_id TEXT PRIMARY KEY REFERENCES lineages (id) ON DELETE CASCADE,
    starts INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    version_id INTEGER NOT NULL REFERENCES task_versions (id),
    lineage_id TEXT NOT NULL REFERENCES lineages (id),
    status TEXT NOT NULL,
    parameters TEXT NOT NULL,
    last_checkpoint TEXT,
    error_message TEXT,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    attempt INTEGER NOT NULL,
    dry_run INTEGER NOT NULL,
    record INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    executor TEXT NOT NULL,
    claim_id INTEGER,
    claimed_by TEXT,
    claimed_at TEXT,
    resumed_from_run_id INTEGER,
    resumed_by_run_id INTEGER,
    started_by TEXT NOT NULL,
    started_by_admin_id INTEGER NOT NULL,
    reported INTEGER NOT NULL,
    end_reason TEXT,
    isolation TEXT NOT NULL,
    progress TEXT,
    result TEXT,
    log_lines INTEGER NOT NULL,
    log_bytes INTEGER NOT NULL,
    concurrency_key TEXT,
    concurrency_limit INTEGER,
    row_version INTEGER NOT NULL DEFAULT 1,
    applied_by_run_id INTEGER,
    replay_of_run_id INTEGER,
    first_epoch INTEGER NOT NULL DEFAULT 0,
    client_seen_ms INTEGER,
    log_calls INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER,
    retry_due_ms INTEGER,
    sign_ms INTEGER NOT NULL DEFAULT 0,
    stuck_told_ms INTEGER NOT NULL DEFAULT 0,
    traceparent TEXT,
    foreign_parameters INTEGER NOT NULL DEFAULT 0,
    hides_people INTEGER NOT NULL DEFAULT 0,
    agent_token_id INTEGER,
    start_by_ms INTEGER,
    restarted_from_run_id INTEGER,
    restarted_from_epoch INTEGER,
    undo_of_run_id INTEGER,
    error_id INTEGER,
    description TEXT,
    details_number INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE INDEX runs_by_task ON runs (task_id, id)`,
  `CREATE INDEX runs_by_version ON runs (version_id, id)`,
  `CREATE INDEX runs_by_lineage ON runs (lineage_id, id)`,
  `CREATE INDEX runs_finished ON runs (finished_at) WHERE finished_at IS NOT NULL`,
  `CREATE INDEX runs_clients ON runs (client_seen_ms) WHERE status = 'running' AND executor = 'external'`,
  // Lists of all runs. The columns after the order let a filter be tested without reading the rows.
  `CREATE INDEX runs_by_start ON runs (started_at, id, status, dry_run)`,
  `CREATE INDEX runs_by_task_start ON runs (task_id, started_at, id, status, dry_run)`,
  // Two indexes, because one by every status would take the planner away from the indexes of running runs.
  `CREATE INDEX runs_by_status ON runs (status, started_at, id, dry_run) WHERE status <> 'running'`,
  `CREATE INDEX runs_running_by_start ON runs (started_at, id, dry_run, task_id) WHERE status = 'running'`,
  `CREATE INDEX runs_dry ON runs (started_at, id, status) WHERE dry_run = 1`,
  `CREATE INDEX runs_retries ON runs (retry_due_ms) WHERE retry_due_ms IS NOT NULL`,
  `CREATE INDEX runs_by_end_reason ON runs (end_reason, started_at, id, status, dry_run) WHERE end_reason IS NOT NULL`,
  `CREATE INDEX runs_by_starter ON runs (started_by, started_at, id, status, dry_run)`,
  `CREATE INDEX runs_open ON runs (executor, started_at) WHERE ${waiting}`,
  // A claim looks only at runs that may start, however many wait: those of tasks without a limit, those of tasks with one, and those with a
  // concurrency key have an index each, in the order in which they are to start. `runs_taken` counts the runs that take a place.
  `CREATE INDEX runs_free ON runs (executor, priority DESC, id)
    WHERE ${waiting} AND concurrency_limit IS NULL`,
  `CREATE INDEX runs_limited ON runs (executor, task_id, priority DESC, id)
    WHERE ${waiting} AND concurrency_limit IS NOT NULL AND concurrency_key IS NULL`,
  `CREATE INDEX runs_keyed ON runs (executor, task_id, priority DESC, id)
    WHERE ${waiting} AND concurrency_limit IS NOT NULL AND concurrency_key IS NOT NULL`,
  `CREATE INDEX runs_taken ON runs (task_id, concurrency_key, concurrency_limit)
    WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external')`,
  // Of two indexes that it expects to cost the same, SQLite takes the newer one: this one comes after the others for open runs of a task.
  `CREATE INDEX runs_running ON runs (task_id, concurrency_key, claim_id, executor) WHERE status = 'running'`,
  runsToExpire,
  `CREATE INDEX runs_by_error ON runs (error_id, id) WHERE error_id IS NOT NULL`,
  `CREATE INDEX runs_undos ON runs (undo_of_run_id, id) WHERE undo_of_run_id IS NOT NULL AND dry_run = 0`,
  // Bad ends in groups, and how often each was seen in a version on a day.
  `CREATE TABLE task_errors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    fingerprint TEXT NOT NULL,
    end_reason TEXT,
    state TEXT NOT NULL,
    resolved_in_version INTEGER,
    returned_at TEXT,
    returned_run_id INTEGER,
    count INTEGER NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    last_run_id INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    UNIQUE (task_id, fingerprint)
  ) STRICT`,
  `CREATE INDEX task_errors_by_time ON task_errors (last_seen_at, id)`,
  `CREATE INDEX task_errors_by_task ON task_errors (task_id, last_seen_at, id)`,
  `CREATE INDEX task_errors_by_state ON task_errors (state, last_seen_at, id)`,
  `CREATE INDEX task_errors_by_run ON task_errors (last_run_id)`,
  `CREATE TABLE task_error_counts (
    error_id INTEGER NOT NULL REFERENCES task_errors (id) ON DELETE CASCADE,
    version_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (error_id, version_id, day)
  ) STRICT`,
  `CREATE INDEX task_error_counts_by_day ON task_error_counts (day)`,
  `CREATE TABLE run_claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    lineage_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    runner_name TEXT NOT NULL,
    claimed_at TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    ended_at TEXT,
    log_from INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER,
    report_token_hash TEXT,
    cpu_ms INTEGER NOT NULL DEFAULT 0,
    wall_ms INTEGER NOT NULL DEFAULT 0,
    host_calls INTEGER NOT NULL DEFAULT 0,
    max_host_calls INTEGER,
    max_writes INTEGER,
    max_log_bytes INTEGER,
    crash_sign TEXT,
    said TEXT
  ) STRICT`,
  `CREATE INDEX run_claims_by_run ON run_claims (run_id)`,
  `CREATE INDEX run_claims_active ON run_claims (lease_until) WHERE ended_at IS NULL`,
  `CREATE UNIQUE INDEX run_claims_by_report_token ON run_claims (report_token_hash)`,
  // The Markdown that a script shows of its run. It may be long, so neither lists nor updates of a run read it.
  `CREATE TABLE run_details (
    run_id INTEGER PRIMARY KEY,
    markdown TEXT NOT NULL
  ) STRICT`,
  // One row for each run that has ended, but dry runs and replays: what the health of its task is made of. The indexes have all that is read.
  `CREATE TABLE run_figures (
    run_id INTEGER PRIMARY KEY,
    task_id INTEGER NOT NULL,
    version_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    outcome TEXT NOT NULL,
    took_bucket INTEGER,
    waited_bucket INTEGER,
    effects INTEGER NOT NULL,
    llm_tokens INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX run_figures_took ON run_figures (task_id, day, version_id, took_bucket, outcome, effects, llm_tokens)`,
  `CREATE INDEX run_figures_waited ON run_figures (task_id, day, version_id, waited_bucket)`,
  `CREATE TABLE run_permissions (
    run_id INTEGER NOT NULL,
    permission TEXT NOT NULL,
    PRIMARY KEY (run_id, permission)
  ) STRICT`,
  `CREATE TABLE run_events (
    run_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    line TEXT NOT NULL,
    call_number INTEGER,
    call_at TEXT,
    duration_ms INTEGER,
    epoch INTEGER,
    source TEXT,
    PRIMARY KEY (run_id, seq)
  ) STRICT`,
  `CREATE INDEX run_events_calls ON run_events (run_id, call_number) WHERE call_number IS NOT NULL`,
  // Outlives the state that was stored.
  `CREATE TABLE run_checkpoints (
    run_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (run_id, epoch)
  ) STRICT`,
  // The states of a lineage's last checkpoints, from which a run may restart.
  lineageCheckpoints,
  // A row with `awaits_run_id` is no question: its run waits for the end of a run that it has started, or for what `awaits` says; then it is 0.
  `CREATE TABLE run_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lineage_id TEXT NOT NULL,
    key TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    asked_by_run_id INTEGER NOT NULL,
    label TEXT NOT NULL,
    fields TEXT NOT NULL,
    answers TEXT,
    created_at TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    answered_at TEXT,
    answered_by INTEGER,
    asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
    answered_claim_id INTEGER,
    awaits_run_id INTEGER,
    awaits TEXT,
    match TEXT,
    found_by TEXT,
    due_ms INTEGER,
    open_writes TEXT,
    open_in INTEGER,
    wakes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (lineage_id, key)
  ) STRICT`,
  `CREATE INDEX run_prompts_open ON run_prompts (asked_by_run_id) WHERE answered_at IS NULL`,
  ...waitIndexes,
  openWaits,
  ...signals,
  `CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lineage_id TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    UNIQUE (lineage_id, name, content_type, sha256)
  ) STRICT`,
  // Reads of runs are committed on PostgreSQL before they are on the disk. PostgreSQL empties an unlogged table when it recovers from a
  // crash, and a standby that takes over has no rows of it: so a claim whose sign is not the one in the table may have lost reads.
  {
    sqlite: [],
    postgres: ['CREATE UNLOGGED TABLE crash_signs (id bigint PRIMARY KEY CHECK (id = 1), sign text COLLATE "C" NOT NULL)'],
  },
  `CREATE TABLE runners (
    name TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    isolation TEXT NOT NULL,
    slots INTEGER NOT NULL,
    last_seen INTEGER NOT NULL
  ) STRICT`,
];
