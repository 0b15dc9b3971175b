import { useQuery } from '@tanstack/react-query';
import { bytesText, dayText, momentText } from '../../language/formats.ts';
import { ordersText } from '../../texts/orders.ts';
import { timelineText as t } from '../../texts/timeline.ts';
import { Change } from '../../ui/change.tsx';
import { adminNames } from '../admin-names.ts';
import { useMay, useShop } from '../shop.ts';
import { useMoney } from '../values.tsx';
import { withNames } from './mentions.ts';
import { internalStatuses } from './queries.ts';

const MONEY = /^(total|subtotal|paid_amount|shipping_cost|discount_amount|tax_amount|amount_cents|cost_cents)$|_cents$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const COMMENT = /^comment \d+$/;

const stages: Record<string, string> = { ...ordersText.payment, ...ordersText.status };

type Props = { changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>; currency: string | undefined };

/** Each field as it was and as it is, in the words and units of people. */
export function Changes({ changes, currency }: Props) {
  const show = useShown(currency);
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <ul className="timeline-changes">
      {fields.map(([field, [before, after]]) => (
        <li key={field}>
          <span className="muted">{fieldName(field)}</span> <Change before={show(field, before)} after={show(field, after)} />
        </li>
      ))}
    </ul>
  );
}

/** A field as people know it. */
export function fieldName(field: string): string {
  return (COMMENT.test(field) ? t.fields['body'] : t.fields[field]) ?? field.replaceAll('_', ' ');
}

/** Values in the words and units of people. */
export function useShown(currency: string | undefined): (field: string, value: unknown) => unknown {
  const money = useMoney();
  const may = useMay();
  const { timezone } = useShop();
  const names = useQuery(adminNames);
  const statuses = useQuery({ ...internalStatuses, enabled: may('admin_api.order_statuses.read') });
  return (field, value) => {
    if (field === 'internal_status_id') return statuses.data?.data.find(({ id }) => id === value)?.name ?? value;
    if (field === 'size_bytes' && typeof value === 'number') return bytesText(value);
    if (typeof value === 'number') return MONEY.test(field) ? money(value, currency) : value;
    if (typeof value !== 'string') return value;
    if (field === 'status' || field === 'payment_status') return stages[value] ?? value;
    if (TIME.test(value)) return momentText(value, timezone, 'minute');
    if (DAY.test(value)) return dayText(value);
    return COMMENT.test(field) || field === 'body' ? withNames(value, names.data ?? [], t.comment.unknown) : value;
  };
}
