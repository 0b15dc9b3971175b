import type { At } from '../db/open.ts';
import type { Settings } from '../resources/settings/domain.ts';

/** What a resource keeps for a time only; `background/retention.ts` lists all. */
export type Retention = {
  /** For how long; null: for good. */
  days: (settings: Settings) => number | null;
  /** Deletes at most so many of those that are older, in one transaction; returns how many. */
  deleteBatch: (at: At, before: string, limit: number) => Promise<number>;
};
