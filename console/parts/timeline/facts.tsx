import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../contract/timeline.ts';
import { bytesText, signedText } from '../../language/formats.ts';
import { ordersText } from '../../texts/orders.ts';
import { timelineText as t } from '../../texts/timeline.ts';
import { Change } from '../../ui/change.tsx';
import { Sentence } from '../../ui/page.tsx';
import { PathLink } from '../../ui/path-link.tsx';
import { useMay } from '../shop.ts';
import { Moment, Money, useMoney } from '../values.tsx';
import { editWords } from './edit-words.ts';

type Props = { entry: TimelineEntry; currency: string | undefined };

/** What a record that was made says, as it is now. */
export function Facts({ entry, currency }: Props) {
  if (entry.edit) return <Edit edit={entry.edit} currency={currency} />;
  const words = <Words entry={entry} currency={currency} />;
  return <p>{words}</p>;
}

function Edit({ edit, currency }: { edit: NonNullable<TimelineEntry['edit']>; currency: string | undefined }) {
  const money = useMoney();
  const marks = [...(edit.customer_notified ? [t.notified] : []), ...(edit.stock_override_used ? [t.overridden] : [])];
  return (
    <>
      <p>{editWords(edit.summary, (minor) => money(minor, currency))}</p>
      {edit.total_before === edit.total_after ? null : (
        <p>
          <span className="muted">{t.fields['total']}</span>{' '}
          <Change before={money(edit.total_before, currency)} after={money(edit.total_after, currency)} />
        </p>
      )}
      {marks.length === 0 ? null : <p className="muted">{marks.join(' · ')}</p>}
    </>
  );
}

function Words({ entry, currency }: Props): ReactNode {
  const may = useMay();
  const { payment, provider_payment: provider, shipment, mail, access, credit, file, order, inquiry, subscription } = entry;
  const of = currency === undefined ? {} : { currency };
  if (payment) return dotted(payment.label, <Money minor={payment.amount} {...of} />, payment.paid ? t.paid : t.unpaid);
  if (provider) return dotted(<Money minor={provider.amount} {...of} />, t.providerStates[provider.state] ?? provider.state);
  if (shipment) return dotted(shipment.courier_name ?? '', <code>{shipment.tracking_number ?? ''}</code>);
  if (mail) return dotted(mail.subject, t.to(mail.to_address), t.mailStatus[mail.status]);
  if (access)
    return dotted(
      may('admin_api.access_groups.read') ? (
        <PathLink to={`/access-groups/${access.group_id}`}>{access.group_name}</PathLink>
      ) : (
        access.group_name
      ),
      access.expires_at === null ? t.forever : <Sentence words={t.until} parts={[<Moment key="at" at={access.expires_at} kind="day" />]} />,
      access.withheld === null ? '' : (t.withheld[access.withheld] ?? access.withheld),
    );
  if (credit) return t.credits(signedText(credit.delta), credit.delta);
  if (file) return dotted(file.name, bytesText(file.size_bytes));
  if (order)
    return dotted(
      <PathLink to={`/orders?open=${entry.id}`}>
        <code>{order.public_id}</code>
      </PathLink>,
      <Money minor={order.total} currency={order.currency} />,
      stageOf(order.status),
    );
  if (inquiry)
    return dotted(
      <PathLink to={`/inquiries?open=${entry.id}`}>{inquiry.subject || t.kinds.inquiry}</PathLink>,
      inquiry.answered_at === null ? '' : t.answered,
    );
  if (subscription) return <PathLink to={`/subscriptions?open=${entry.id}`}>{subscription.product_name}</PathLink>;
  return null;
}

function stageOf(status: string): string {
  const names: Record<string, string> = ordersText.status;
  return names[status] ?? status;
}

/** Parts with a dot between them; what is empty is left out. */
function dotted(...parts: readonly ReactNode[]): ReactNode {
  const shown = parts.filter((part) => part !== '');
  return shown.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name than their place
    <span key={at}>
      {at > 0 ? ' · ' : null}
      {part}
    </span>
  ));
}
