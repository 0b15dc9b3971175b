const DAY_MS = 86_400_000;

type Limits = { download_limit: number | null; download_days: number | null };

/** How often, and until when, a link made at `now` works; null: without limit. */
export function allowanceFrom(now: string, { download_limit, download_days }: Limits) {
  const until = download_days === null ? null : new Date(Date.parse(now) + download_days * DAY_MS).toISOString();
  return { remaining: download_limit, expires_at: until };
}
