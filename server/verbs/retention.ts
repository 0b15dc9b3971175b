import type { At } from '../db/open.ts';
import type { Settings } from '../values/settings.ts';

/** Something that a resource keeps for a limited time; `background/retention.ts` lists all of them. */
export type Retention = {
  /** Number of days to keep it; null: forever. */
  days: (settings: Settings) => number | null;
  /** Deletes in one transaction at most `limit` rows or runs older than `before`; returns how many. */
  deleteBatch: (at: At, before: string, limit: number) => Promise<number>;
};
