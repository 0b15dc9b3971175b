import type { Statement } from '../dialect.ts';

const pending = 'approved_by IS NULL AND rejected_at IS NULL AND revoked_at IS NULL';

/** Tasks, their versions with the decisions on them, and what tasks keep or are given. */
export const tasks: readonly Statement[] = [
  `CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT NOT NULL,
    description_folded TEXT NOT NULL,
    current_version_id INTEGER,
    settings TEXT NOT NULL,
    deleted_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    handler_acts_for INTEGER,
    handler_reads_files INTEGER NOT NULL DEFAULT 0,
    stuck_minutes INTEGER,
    drafts_of INTEGER,
    one_off INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE INDEX tasks_by_updated ON tasks (updated_at, id)`,
  `CREATE INDEX tasks_watched ON tasks (id) WHERE stuck_minutes IS NOT NULL`,
  `CREATE INDEX tasks_of_drafts ON tasks (drafts_of) WHERE drafts_of IS NOT NULL`,
  `CREATE INDEX tasks_one_off ON tasks (id) WHERE one_off = 1`,
  // A version without a number is a draft.
  `CREATE TABLE task_versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    version INTEGER,
    source_code TEXT NOT NULL,
    source_sha256 TEXT NOT NULL,
    permissions TEXT NOT NULL,
    parameters TEXT NOT NULL,
    warnings TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    approved_by INTEGER,
    approved_at TEXT,
    revoked_at TEXT,
    created_at TEXT NOT NULL,
    rejected_at TEXT,
    note TEXT,
    mail_to TEXT NOT NULL DEFAULT '[]',
    http_allow TEXT NOT NULL DEFAULT '[]',
    secrets TEXT NOT NULL DEFAULT '[]',
    may_start TEXT NOT NULL DEFAULT '[]',
    may_read TEXT,
    created_via TEXT,
    created_by_agent TEXT,
    evidence TEXT,
    change_request_id INTEGER,
    UNIQUE (task_id, version)
  ) STRICT`,
  `CREATE INDEX task_versions_pending ON task_versions (task_id, version)
    WHERE ${pending}`,
  `CREATE INDEX task_versions_waiting ON task_versions (id) WHERE ${pending}`,
  // Finds the tasks whose current versions may start others.
  `CREATE INDEX task_versions_starting ON task_versions (task_id, id, may_start) WHERE may_start <> '[]'`,
  `CREATE TABLE version_approvals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    version_id INTEGER NOT NULL REFERENCES task_versions (id),
    source_sha256 TEXT NOT NULL,
    permissions TEXT NOT NULL,
    decision TEXT NOT NULL,
    admin_id INTEGER NOT NULL,
    comment TEXT,
    at TEXT NOT NULL,
    mail_to TEXT NOT NULL DEFAULT '[]',
    http_allow TEXT NOT NULL DEFAULT '[]',
    secrets TEXT NOT NULL DEFAULT '[]',
    may_start TEXT NOT NULL DEFAULT '[]'
  ) STRICT`,
  `CREATE INDEX version_approvals_by_task ON version_approvals (task_id, id)`,
  `CREATE INDEX version_approvals_by_version ON version_approvals (version_id, id)`,
  // `thread_id`: the first comment of the thread; null: it is the first itself, and tells whether the thread is resolved.
  `CREATE TABLE version_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    version_id INTEGER NOT NULL REFERENCES task_versions (id),
    thread_id INTEGER REFERENCES version_comments (id),
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    edited_at TEXT,
    resolved_at TEXT,
    resolved_by INTEGER,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX version_comments_by_task ON version_comments (task_id, id)`,
  `CREATE INDEX version_comments_by_version ON version_comments (version_id, id)`,
  `CREATE INDEX version_comments_by_thread ON version_comments (thread_id) WHERE thread_id IS NOT NULL`,
  // New versions that are watched; the figures are JSON.
  `CREATE TABLE version_trials (
    version_id INTEGER PRIMARY KEY REFERENCES task_versions (id),
    state TEXT NOT NULL,
    failures INTEGER NOT NULL,
    effects TEXT NOT NULL,
    before TEXT NOT NULL,
    reason TEXT,
    run_id INTEGER,
    decided_at TEXT
  ) STRICT`,
  // What the check of a source compiled of it, for the workers that run it; `format` tells which version of the compiler did.
  `CREATE TABLE compiled_sources (
    version_id INTEGER PRIMARY KEY REFERENCES task_versions (id) ON DELETE CASCADE,
    format INTEGER NOT NULL,
    code TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE task_secrets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    task_id INTEGER REFERENCES tasks (id),
    key_id TEXT NOT NULL,
    sealed TEXT NOT NULL,
    hosts TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    created_by_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_used_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX task_secrets_by_name ON task_secrets (name, coalesce(task_id, 0))`,
  `CREATE INDEX task_secrets_by_task ON task_secrets (task_id)`,
  `CREATE TABLE task_variables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    task_id INTEGER REFERENCES tasks (id),
    value TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    created_by_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX task_variables_by_name ON task_variables (name, coalesce(task_id, 0))`,
  `CREATE INDEX task_variables_by_task ON task_variables (task_id)`,
  `CREATE TABLE task_state (
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by_run_id INTEGER,
    PRIMARY KEY (task_id, key)
  ) STRICT`,
  `CREATE TABLE task_state_marks (
    task_id INTEGER PRIMARY KEY REFERENCES tasks (id),
    deleted_version INTEGER NOT NULL,
    permissions TEXT NOT NULL
  ) STRICT`,
];
