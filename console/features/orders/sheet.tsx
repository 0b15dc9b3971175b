import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { OrderDetail, OrderStatus } from '../../../contract/orders.ts';
import { ApiError, api, ifMatch, type Tagged } from '../../api/client.ts';
import { useMay } from '../../app/shop.ts';
import { ordersText } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Facts, Section, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Moment, Money, useMoney } from '../../ui/values.tsx';
import { OrderStage, PaymentStage } from './parts.tsx';
import { orderHistory, orderRecord } from './queries.ts';
import { statuses } from './search.ts';

const t = ordersText.sheet;

/** One order beside the list. */
export function OrderSheet({ id, close }: { id: number; close(): void }) {
  const order = useQuery(orderRecord(id));
  const title = useId();
  return (
    <aside className="sheet" aria-labelledby={title}>
      <div className="sheet-close">
        <Button kind="quiet" keys="escape" onClick={close}>
          {t.close}
        </Button>
      </div>
      {order.isPending ? <Skeleton /> : null}
      {order.error && !order.data ? <Problem error={order.error} retry={() => void order.refetch()} /> : null}
      {order.data ? <Order {...order.data} titleId={title} /> : null}
    </aside>
  );
}

function Order({ value: order, etag, titleId }: Tagged<OrderDetail> & { titleId: string }) {
  const may = useMay();
  const progress = ordersText.progress[order.payment_progress];
  const balance = useMoney()(Math.abs(order.balance_due_cents), order.currency);
  return (
    <>
      <header className="sheet-head">
        <h2 id={titleId}>
          <code>{order.public_id}</code>
        </h2>
        <OrderStage status={order.status} />
        <PaymentStage status={order.payment_status} />
        <span className="tag">{progress}</span>
        {order.is_test ? <span className="tag">{ordersText.test}</span> : null}
      </header>
      <p className="muted">
        {order.customer_name} · {order.customer_email} · <Moment at={order.created_at} />
      </p>
      {may('admin_api.orders.write') ? <StatusForm order={order} etag={etag} /> : null}
      <Section title={t.lines}>
        <table className="lines">
          <tbody>
            {order.items.map((item) => (
              <tr key={item.id}>
                <th scope="row">
                  {item.product_name} <span className="muted">{item.variant_label}</span>
                </th>
                <td className="number">{item.quantity}</td>
                <td className="number">
                  <Money minor={item.subtotal} currency={order.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title={t.totals}>
        <Totals order={order} />
        {order.balance_due_cents > 0 && order.status !== 'cancelled' ? <p className="tag need">{t.owed(balance)}</p> : null}
        {order.balance_due_cents < 0 ? <p className="tag need">{t.credit(balance)}</p> : null}
      </Section>
      <Section title={t.delivery}>
        <Facts facts={deliveryOf(order)} />
      </Section>
      <History id={order.id} />
    </>
  );
}

function Totals({ order }: { order: OrderDetail }) {
  const rows = [
    [t.subtotal, order.subtotal],
    [t.discount, -order.discount_amount],
    [t.shipping, order.shipping_cost],
    [t.tax, order.tax_amount],
  ] as const;
  return (
    <table className="totals">
      <tbody>
        {rows.map(([name, minor]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">
              <Money minor={minor === 0 ? 0 : minor} currency={order.currency} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.total}</th>
          <td className="number">
            <Money minor={order.total} currency={order.currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function deliveryOf(order: OrderDetail): [string, string][] {
  const street = [order.shipping_line1, order.shipping_line2].filter(Boolean).join(', ');
  const place = [`${order.shipping_postal_code} ${order.shipping_city}`.trim(), order.shipping_state, order.shipping_country];
  const facts: [string, string | null][] = [
    [t.address, [street, ...place].filter(Boolean).join(', ')],
    [t.method, order.pickup_location_name ?? order.shipping_method],
    [t.date, order.delivery_date],
    [t.tracking, order.tracking_number],
    [t.phone, order.customer_phone],
    [t.notes, order.notes],
    [t.internalNotes, order.internal_notes],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

/** Sets the status; what somebody else changed meanwhile is shown first (412). */
function StatusForm({ order, etag }: { order: OrderDetail; etag: string | undefined }) {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<OrderStatus | null>(null);
  const save = useMutation({
    mutationFn: (status: OrderStatus) => api.orders.update_status(order.id, { status }, ifMatch(etag)),
    onSuccess: () => setWanted(null),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).startsWith('orders.') }),
  });
  const isConflict = save.error instanceof ApiError && save.error.status === 412;
  return (
    <form
      className="status-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== null) save.mutate(wanted);
      }}
    >
      <SelectField
        label={t.status}
        value={wanted ?? order.status}
        error={isConflict ? t.conflict : undefined}
        onChange={(event) => {
          save.reset();
          setWanted(statuses.find((status) => status === event.target.value && status !== order.status) ?? null);
        }}
      >
        {statuses.map((status) => (
          <option key={status} value={status}>
            {ordersText.status[status]}
          </option>
        ))}
      </SelectField>
      {wanted === null ? null : (
        <Button kind="first" type="submit" disabled={save.isPending}>
          {t.save}
        </Button>
      )}
      {save.error && !isConflict ? <Problem error={save.error} /> : null}
    </form>
  );
}

function History({ id }: { id: number }) {
  const edits = useQuery(orderHistory(id));
  if (!edits.data) return null;
  return (
    <Section title={t.history}>
      {edits.data.length === 0 ? <p className="muted">{t.noHistory}</p> : null}
      <ul>
        {edits.data.map((edit) => (
          <li key={edit.id} className="history-row">
            <span className="muted">
              <Moment at={edit.edited_at} />
            </span>
            <span>{edit.summary}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
