import type { Generated } from 'kysely';

/** What starts runs automatically, in the form that tables.ts describes. */

export type AutomationTables = {
  schedules: SchedulesTable;
  triggers: TriggersTable;
  trigger_deliveries: TriggerDeliveriesTable;
  lineage_causes: LineageCausesTable;
  hooks: HooksTable;
  hook_calls: HookCallsTable;
};

type SchedulesTable = {
  id: Generated<number>;
  task_id: number;
  cron: string;
  timezone: string;
  parameters: string;
  enabled: number;
  overlap: 'skip' | 'queue' | 'allow';
  catch_up_seconds: number;
  /** The next time of the cron expression; null: the schedule is switched off, or no further time exists. */
  next_at: string | null;
  /** When a server looks at the schedule, by the database's clock: at `next_at`, or later if that failed. */
  due_ms: number | null;
  last_run_id: number | null;
  last_at: string | null;
  /** Why the last time started no run; null after a start that succeeded. */
  last_error: string | null;
  /** Number of times that wait for the open run to end, and when a server looks at them, by the database's clock. */
  queued: Generated<number>;
  queue_due_ms: Generated<number>;
  created_by: number;
  /** The admin for whom its runs act, and whether the actor that saved the schedule might read any file. */
  acts_for: number;
  reads_files: number;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type TriggersTable = {
  id: Generated<number>;
  task_id: number;
  event: string;
  filter: string;
  parameters: string;
  enabled: number;
  last_error: string | null;
  created_by: number;
  /** As in `schedules`. */
  acts_for: number;
  reads_files: number;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

/** An event for which a trigger has not yet started a run; the row is deleted with the start of the run. */
type TriggerDeliveriesTable = {
  trigger_id: number;
  event_id: number;
  /** By the database's clock; 0: at once. */
  due_ms: number;
};

/** Tasks whose runs caused the events that led to this lineage, so that triggers do not start them again in a loop. */
type LineageCausesTable = { lineage_id: string; task_id: number };

type HooksTable = {
  id: Generated<number>;
  task_id: number;
  name: string;
  enabled: number;
  parameter: string | null;
  parameters: string;
  /** JSON: how a signature is checked; null: calls carry none. */
  verify: string | null;
  /** The secret of the signatures, sealed. */
  verify_secret: string | null;
  /** The key that has sealed it. */
  verify_key_id: string | null;
  idempotency_header: string | null;
  /** `once`: a call that is made again gets the run of the first one. */
  repeats: 'once' | 'each';
  /** 1: the parameter gets the text of the body, too. */
  raw_body: number;
  wait: number;
  rate_per_minute: number;
  /** Hash of the secret part of the address. */
  secret_hash: string;
  last_error: string | null;
  created_by: number;
  /** As in `schedules`. */
  acts_for: number;
  reads_files: number;
  /** JSON: the permissions of the actor that saved the hook; a call gets no result that may contain more than these let read. */
  permissions: string;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

/** A call that opened a run. `key`: the hook and the hash of what makes a repeated call known. */
type HookCallsTable = { key: string; hook_id: number; run_id: number | null; at: string };
