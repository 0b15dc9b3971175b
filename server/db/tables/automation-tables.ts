import type { Generated } from 'kysely';

/** What starts runs automatically, in the form that tables.ts describes. */

export type AutomationTables = {
  schedules: SchedulesTable;
  triggers: TriggersTable;
  trigger_deliveries: TriggerDeliveriesTable;
  lineage_causes: LineageCausesTable;
  hooks: HooksTable;
  hook_calls: HookCallsTable;
  gathered_starts: GatheredStartsTable;
  gathered_items: GatheredItemsTable;
  start_times: StartTimesTable;
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
  /** JSON: how its starts are gathered, put off, limited and given up. */
  start_options: Generated<string>;
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
  /** As in `triggers`. */
  start_options: Generated<string>;
};

/** A call that opened a run, or joined a start. `key`: the hook and the hash of what makes a repeated call known. */
type HookCallsTable = { key: string; hook_id: number; run_id: number | null; at: string; start_id: number | null };

/** A run that is to open. All times are in milliseconds; those that are compared with the present are compared by the database's clock. */
type GatheredStartsTable = {
  id: Generated<number>;
  kind: 'trigger' | 'hook' | 'run';
  /** The trigger, the hook, or the task whose runs ask for the start. */
  starter_id: number;
  trigger_id: number | null;
  hook_id: number | null;
  /** The task whose run opens. */
  task_id: number;
  how: 'single' | 'debounce' | 'batch';
  /** Values of the keys as JSON; empty: there is none. */
  gather_key: string;
  rate_key: string;
  /** JSON: the options when the last item came. */
  options: string;
  /** 1: further items may join. */
  gathering: number;
  items: number;
  /** Of the items' contents together. */
  bytes: number;
  first_ms: number;
  last_ms: number;
  /** When it opens, or a server looks at it; null: others wait before it for the rate. */
  due_ms: number | null;
  expires_ms: number | null;
  /** Since when it waits for the rate; null: it does not. */
  queued_ms: number | null;
  /** Of a start by a run, as in `schedules`. */
  acts_for: number | null;
  reads_files: number;
};

/** What a start has gathered: of `debounce` the last item alone. */
type GatheredItemsTable = {
  id: Generated<number>;
  start_id: number;
  /** The order of the items: the id of an event, else the time. */
  position: number;
  /** JSON: the event, what a hook was sent, or the parameters. */
  content: string;
  /** Lineage of the run that caused the event or asked for the start; null: no run did. */
  lineage_id: string | null;
  /** Of a start by a run: the run, how many stand above it, and as JSON what its parameters may tell of. */
  run_id: number | null;
  depth: number | null;
  permissions: string | null;
};

/** When runs were opened whose number is limited. */
type StartTimesTable = { id: Generated<number>; kind: string; starter_id: number; task_id: number; rate_key: string; at_ms: number };
