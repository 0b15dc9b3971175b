import { retentions as assistantRetentions } from '../automation/assistant/domain.ts';
import { retention as startTimes } from '../automation/gathered-starts/domain.ts';
import { callRetention } from '../automation/hooks/domain.ts';
import { runRetentions } from '../automation/retention/domain.ts';
import { signalRetention } from '../automation/run-waits/signals.ts';
import { retention as runners } from '../automation/runner/domain.ts';
import { retention as taskMailDays } from '../automation/task-mails/domain.ts';
import type { Store } from '../db/open.ts';
import { deleteOldest } from '../db/queries/delete-oldest.ts';
import { deleteLapsed } from '../db/queries/leases.ts';
import { auditRetentions } from '../resources/audit/domain.ts';
import { gestureRetention } from '../resources/decisions/domain.ts';
import { retention as mails } from '../resources/mail/domain.ts';
import { retention as notifications } from '../resources/notifications/domain.ts';
import { oauthRetention } from '../resources/oauth/records.ts';
import { challengeRetention } from '../resources/passkeys/challenges.ts';
import { codeRetention } from '../resources/passkeys/codes.ts';
import { sessionRetentions } from '../resources/passkeys/sessions.ts';
import { policyChangeRetention } from '../resources/policy-changes/domain.ts';
import { retention as providerEvents } from '../resources/provider-events/domain.ts';
import { readSettings } from '../resources/settings/domain.ts';
import { invitationRetention } from '../resources/sign-in/invitations.ts';
import { linkRetention } from '../resources/tokens/one-time-links.ts';
import { retention as unsubscribeLinks } from '../resources/unsubscribe/domain.ts';
import { retention as webhooks } from '../resources/webhooks/domain.ts';
import type { Retention } from '../verbs/retention.ts';

const DAY_MS = 86_400_000;
/** Rows or runs in one transaction, so few that a sweep never delays a request for long. */
const BATCH = 500;

const retentions: readonly Retention[] = [
  { days: () => 1, deleteBatch: deleteLapsed },
  { days: () => 1, deleteBatch: deleteOldest('idempotency', 'created_at', 'scope') },
  linkRetention,
  gestureRetention,
  policyChangeRetention,
  invitationRetention,
  oauthRetention,
  challengeRetention,
  codeRetention,
  ...sessionRetentions,
  callRetention,
  startTimes,
  signalRetention,
  mails,
  taskMailDays,
  unsubscribeLinks,
  ...auditRetentions,
  notifications,
  webhooks,
  providerEvents,
  ...runRetentions,
  ...assistantRetentions,
  runners,
];

/** Deletes, in small batches, records whose retention time has passed. */
export async function sweepOld(store: Store, now: number = Date.now()): Promise<void> {
  const { dialect } = store;
  const settings = await readSettings(store.reader);
  for (const { days, deleteBatch } of retentions) {
    const kept = days(settings);
    if (kept === null) continue;
    const before = new Date(now - kept * DAY_MS).toISOString();
    while ((await store.write((db) => deleteBatch({ db, dialect }, before, BATCH))) === BATCH);
  }
}
