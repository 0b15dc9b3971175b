import { z } from 'zod';
import type { Db } from '../../db/open.ts';
import * as store from './store.ts';

/** The shop's settings with their defaults (decisions.md §3); a row in the database overrides one. */
export const Settings = z.object({
  shop_name: z.string().default('Backroom'),
  approval_policy: z.enum(['author', 'added_permissions', 'second_admin']).default('author'),
  default_executor: z.enum(['runner', 'external']).default('runner'),
  currency: z.string().default('EUR'),
  currency_exponent: z.int().min(0).max(4).default(2),
  locale: z.string().default('en'),
  timezone: z.string().default('UTC'),
  prices_include_tax: z.boolean().default(false),
  low_stock_threshold: z.int().default(5),
  /** How often a sold file may be fetched, and for how many days; null: no limit. */
  download_limit: z.int().min(1).nullable().default(10),
  download_days: z.int().min(1).max(36_500).nullable().default(null),
  journal_days: z.int().min(1).default(7),
  run_days: z.int().min(1).default(90),
});
export type Settings = z.infer<typeof Settings>;

export async function readSettings(db: Db): Promise<Settings> {
  const rows = await store.selectSettings(db);
  return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])));
}

/** Stores settings; the caller writes inside a transaction. */
export async function writeSettings(db: Db, changes: Partial<Settings>): Promise<void> {
  const checked = Settings.partial().parse(changes);
  for (const [key, value] of Object.entries(checked)) {
    if (key in changes) await store.upsertSetting(db, key, JSON.stringify(value));
  }
}
