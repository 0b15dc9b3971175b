import type { Generated } from 'kysely';

/** What happened in the assistant's threads, and what they used, in the form that tables.ts describes. */

export type AssistantTables = {
  assistant_threads: AssistantThreadsTable;
  assistant_items: AssistantItemsTable;
  assistant_days: AssistantDaysTable;
};

type AssistantThreadsTable = {
  id: Generated<number>;
  admin_id: number;
  task_id: number | null;
  /** The run that the thread was begun about; it may be gone. */
  run_id: number | null;
  title: string;
  state: 'idle' | 'working' | 'failed' | 'stopped';
  error: string | null;
  /** JSON. */
  draft: string | null;
  /** With those that are reserved. */
  tokens_used: number;
  sees_personal_data: number;
  /** The token that sent the latest message, with whose rights the assistant works. */
  token_id: number | null;
  /** Answers of tools up to this item are sent to the model shortened. */
  shortened_to: number;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
  /** JSON: the read permissions of the turns, by which the thread may tell of the shop; null: not known, so all of them. */
  may_read: string | null;
  /** Of all items together. */
  size_bytes: Generated<number>;
};

type AssistantItemsTable = {
  id: Generated<number>;
  thread_id: number;
  kind: string;
  at: string;
  /** The row version of the thread with which the item was written last. */
  rev: number;
  /** JSON. */
  data: string;
};

/** The tokens that an admin used on a day of the shop's time zone, with those that are reserved. */
type AssistantDaysTable = { day: string; admin_id: number; tokens: number };
