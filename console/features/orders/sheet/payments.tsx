import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import type { Payment } from '../../../../contract/payments.ts';
import { once } from '../../../api/client.ts';
import { EditForm } from '../../../parts/edit-form.tsx';
import type { FieldRows } from '../../../parts/fields.tsx';
import { useRecordForm } from '../../../parts/record-form.ts';
import { Remove } from '../../../parts/remove.tsx';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment, Money, useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { paymentsText as t } from '../../../texts/order-payments.ts';
import { ordersText } from '../../../texts/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Facts, Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Lifecycle } from '../../../ui/status.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { orderPayments, orderWrites, refreshOrders } from '../order-queries.ts';

const MANUAL = 'manual';

/** What was and will be paid of an order that is paid by hand; of others the payment provider keeps it. */
export function Payments({ order }: { order: OrderDetail }) {
  const payments = useQuery(orderPayments(order.id));
  const may = useMay();
  const [edited, edit] = useState<number | 'new' | null>(null);
  const { payment_provider: provider } = order;
  if (provider !== MANUAL) return <p className="muted">{t.notManual(orderText.delivery.providers[provider] ?? provider)}</p>;
  const mayChange = may('admin_api.orders.write');
  return (
    <Section title={t.title} act={mayChange && edited !== 'new' ? <Button onClick={() => edit('new')}>{t.add}</Button> : undefined}>
      <Summary order={order} />
      <Loaded query={payments} rows={3}>
        {(all) => (
          <>
            {all.length > 0 ? null : order.payment_status === 'paid' ? (
              <Banner tone="plain">{t.paidWithoutRecords}</Banner>
            ) : (
              <p className="muted">{t.none}</p>
            )}
            <ul className="payments">
              {all.map((payment) => (
                <li key={payment.id}>
                  {edited === payment.id ? (
                    <PaymentForm order={order} payment={payment} close={() => edit(null)} />
                  ) : (
                    <PaymentRow order={order} payment={payment} all={all} mayChange={mayChange} edit={() => edit(payment.id)} />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {edited === 'new' ? <PaymentForm order={order} close={() => edit(null)} /> : null}
    </Section>
  );
}

function Summary({ order }: { order: OrderDetail }) {
  const { balance_due_cents: balance, currency } = order;
  return (
    <Facts
      facts={[
        [t.progress, ordersText.progress[order.payment_progress]],
        [t.total, <Money key="total" minor={order.total} currency={currency} />],
        [t.paid, <Money key="paid" minor={order.paid_total_cents} currency={currency} />],
        ...(balance === 0
          ? []
          : [[balance > 0 ? t.open : t.tooMuch, <Money key="open" minor={Math.abs(balance)} currency={currency} />] as const]),
      ]}
    />
  );
}

type RowProps = { order: OrderDetail; payment: Payment; all: readonly Payment[]; mayChange: boolean; edit(): void };

function PaymentRow({ order, payment, all, mayChange, edit }: RowProps) {
  const queries = useQueryClient();
  const money = useMoney();
  const key = useRetryKey();
  const refresh = () => refreshOrders(queries);
  const setPaid = useMutation({
    mutationFn: (paid: boolean) =>
      orderWrites.updatePayment(order.id, payment.id, { paid }, once(key.of([payment.id, paid, payment.updated_at]))),
    onSettled: refresh,
  });
  const move = useMutation({
    mutationFn: (by: 1 | -1) => orderWrites.reorderPayments(order.id, { items: moved(all, payment.id, by) }),
    onSettled: refresh,
  });
  const at = all.indexOf(payment);
  const isBusy = setPaid.isPending || move.isPending;
  return (
    <>
      <div className="payment-head">
        <strong>{payment.label}</strong>
        <Money minor={payment.amount_cents} currency={order.currency} />
      </div>
      <div className="payment-state">
        <Lifecycle stage={payment.paid ? 'full' : 'empty'}>{payment.paid ? t.paidOn : t.notPaid}</Lifecycle>
        {payment.paid_at === null ? null : <Moment at={payment.paid_at} />}
        {payment.note ? <span className="muted">{payment.note}</span> : null}
      </div>
      {mayChange ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as a form
        <div className="acts" role="group" aria-label={t.acts(payment.label)}>
          <Button disabled={isBusy} onClick={() => setPaid.mutate(!payment.paid)}>
            {payment.paid ? t.markUnpaid : t.markPaid}
          </Button>
          <Button kind="quiet" onClick={edit}>
            {t.edit}
          </Button>
          {all.length > 1 ? (
            <>
              <Button kind="quiet" aria-label={t.up(payment.label)} disabled={isBusy || at === 0} onClick={() => move.mutate(-1)}>
                ↑
              </Button>
              <Button
                kind="quiet"
                aria-label={t.down(payment.label)}
                disabled={isBusy || at === all.length - 1}
                onClick={() => move.mutate(1)}
              >
                ↓
              </Button>
            </>
          ) : null}
          <Remove
            name={payment.label}
            title={t.deleteTitle(payment.label)}
            run={() => orderWrites.deletePayment(order.id, payment.id)}
            onDone={refresh}
          >
            <p>{t.deleteDetail(money(payment.amount_cents, order.currency))}</p>
          </Remove>
        </div>
      ) : null}
      {(setPaid.error ?? move.error) ? <Problem error={setPaid.error ?? move.error} /> : null}
    </>
  );
}

function moved(all: readonly Payment[], id: number, by: 1 | -1): { id: number; sort_order: number }[] {
  const ids = all.map((payment) => payment.id);
  const at = ids.indexOf(id);
  ids.splice(at, 1);
  ids.splice(at + by, 0, id);
  return ids.map((one, index) => ({ id: one, sort_order: index + 1 }));
}

type PaymentValues = { label: string; amount_cents: number | null; paid: boolean; note: string };
const fields: FieldRows<PaymentValues> = [
  [
    { kind: 'text', name: 'label', label: t.label, hint: t.labelHint, autoFocus: true },
    { kind: 'money', name: 'amount_cents', label: t.amount },
  ],
  { kind: 'area', name: 'note', label: t.note, rows: 2 },
  { kind: 'tick', name: 'paid', label: t.isPaid },
];

/** A new payment starts with what is still open. */
function PaymentForm({ order, payment, close }: { order: OrderDetail; payment?: Payment; close(): void }) {
  const queries = useQueryClient();
  const open = order.balance_due_cents > 0 ? order.balance_due_cents : null;
  const form = useRecordForm({
    values: {
      label: payment?.label ?? '',
      amount_cents: payment ? payment.amount_cents : open,
      paid: payment?.paid ?? false,
      note: payment?.note ?? '',
    },
    send: ({ amount_cents, note, ...rest }, options) => {
      const body = { ...rest, amount_cents: amount_cents ?? 0, note: note.trim() === '' ? null : note };
      return payment ? orderWrites.updatePayment(order.id, payment.id, body, options) : orderWrites.createPayment(order.id, body, options);
    },
    onSaved: async () => {
      await refreshOrders(queries);
      close();
    },
  });
  return (
    <div className="payment-form">
      <EditForm
        label={payment ? t.acts(payment.label) : t.add}
        form={form}
        fields={fields}
        submit={payment ? t.save : t.addSubmit}
        canSendUnedited={payment === undefined}
        close={close}
      />
    </div>
  );
}
