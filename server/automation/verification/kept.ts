import { z } from 'zod';
import type { Db } from '../../db/open.ts';
import type { Settings } from '../../values/settings.ts';
import * as store from './store.ts';

/** How long plans are kept that were decided on (spec DE7). */

export type Days = Pick<Settings, 'journal_days' | 'run_days'>;

const DAY_MS = 86_400_000;
const Shortened = z.object({
  settings: z.looseObject({
    journal_days: z.tuple([z.int(), z.int()]).optional(),
    run_days: z.tuple([z.int(), z.int()]).optional(),
  }),
});

/** The shortest days that there were, as each time that they became fewer was decided. */
export function noteDays(decided: unknown, days: Days): void {
  const { settings = {} } = Shortened.safeParse(decided).data ?? {};
  for (const name of ['journal_days', 'run_days'] as const) days[name] = Math.min(days[name], settings[name]?.[1] ?? days[name]);
}

/** Whether the plan of a dry run may be gone: the days since its end are over; the run may be gone, too. */
export async function mayBeGone(db: Db, runId: number, decidedAt: string, { journal_days, run_days }: Days): Promise<boolean> {
  const run = await store.selectRunNow(db, runId);
  // It was decided on while there was a plan, so the run had ended so many days before at most.
  const since = run?.finished_at ?? new Date(Date.parse(decidedAt) - (journal_days + 1) * DAY_MS).toISOString();
  return Date.parse(since) + (run ? journal_days : run_days) * DAY_MS <= Date.now();
}
