import type { Generated } from 'kysely';

/** What opens runs by itself; written as tables.ts says. */

export type AutomationTables = {
  schedules: SchedulesTable;
  triggers: TriggersTable;
  trigger_deliveries: TriggerDeliveriesTable;
  lineage_causes: LineageCausesTable;
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
  /** The next time of the cron expression; null: switched off, or it never comes again. */
  next_at: string | null;
  /** When a server looks at it, by the database's clock: `next_at`, or later where that failed. */
  due_ms: number | null;
  last_run_id: number | null;
  last_at: string | null;
  /** Why the last time opened no run; null once one opens. */
  last_error: string | null;
  /** Times that wait for the open run to end, and when a server looks at them, by the database's clock. */
  queued: Generated<number>;
  queue_due_ms: Generated<number>;
  created_by: number;
  /** The admin whose act its runs are, and whether what saved it might read any file. */
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
  /** As of a schedule. */
  acts_for: number;
  reads_files: number;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

/** An event that a trigger has yet to open a run for; gone with the run's opening. */
type TriggerDeliveriesTable = {
  trigger_id: number;
  event_id: number;
  /** By the database's clock; 0: at once. */
  due_ms: number;
};

/** Tasks whose runs caused the events that led to this lineage: the loop guard of triggers. */
type LineageCausesTable = { lineage_id: string; task_id: number };
