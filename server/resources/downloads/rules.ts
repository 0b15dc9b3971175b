const DAY_MS = 86_400_000;

type Limits = { download_limit: number | null; download_days: number | null };

/** How often and until when a link made at `now` works; null means without limit. */
export function allowanceFrom(now: string, { download_limit, download_days }: Limits) {
  const until = download_days === null ? null : new Date(Date.parse(now) + download_days * DAY_MS).toISOString();
  return { remaining: download_limit, expires_at: until };
}

type Link = { revoked_at: string | null; expires_at: string | null; remaining: number | null };

/** Why a link no longer works, as text for the buyer; null if it works. */
export function whyEnded({ revoked_at, expires_at, remaining }: Link, now: string): { reason: string; detail: string } | null {
  if (revoked_at !== null) return { reason: 'revoked', detail: 'The order of this download was cancelled.' };
  if (expires_at !== null && expires_at <= now) return { reason: 'expired', detail: `This download link expired at ${expires_at}.` };
  if (remaining === 0) return { reason: 'exhausted', detail: 'This file was downloaded as often as the link allows.' };
  return null;
}
