import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';
import { subscriptionsText as t } from '../../texts/subscriptions.ts';
import { Lifecycle, Status } from '../../ui/status.tsx';

/** Payments that fail are the exception, and have the colour of one. */
export function SubscriptionStage({ status, isEnding }: { status: SubscriptionStatus; isEnding: boolean }) {
  if (status === 'past_due' || status === 'unpaid') return <Status tone="fail">{t.status[status]}</Status>;
  if (status === 'incomplete') return <Status tone="need">{t.status[status]}</Status>;
  if (status === 'canceled' || status === 'incomplete_expired') return <Lifecycle stage="barred">{t.status[status]}</Lifecycle>;
  return <Lifecycle stage={isEnding ? 'half' : 'full'}>{isEnding ? t.ending : t.status[status]}</Lifecycle>;
}
