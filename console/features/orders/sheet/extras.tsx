import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { countryName } from '../../../ui/countries.ts';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Facts, Section, Sentence } from '../../../ui/page.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { orderWrites, refreshOrders } from '../order-queries.ts';
import { Failure } from './failure.tsx';

const t = orderText;

/** What an order has besides lines and state: where it goes, what can be downloaded, a subscription to activate. */
export function Extras({ order, person }: { order: OrderDetail; person?: ReactNode }) {
  const may = useMay();
  return (
    <>
      <Section title={t.delivery.title} act={person}>
        <Facts facts={deliveryOf(order)} />
      </Section>
      {order.downloads.length > 0 ? <Downloads order={order} /> : null}
      {order.payment_status === 'paid' && may('admin_api.subscriptions.write') ? <Activate id={order.id} /> : null}
    </>
  );
}

function deliveryOf(order: OrderDetail): [string, ReactNode][] {
  const { billing_address: billing } = order;
  const facts: [string, ReactNode][] = [
    [t.delivery.pickup, order.pickup_location_name],
    [t.delivery.method, order.shipping_method],
    [
      t.delivery.address,
      lines([
        order.shipping_line1,
        order.shipping_line2,
        `${order.shipping_postal_code} ${order.shipping_city}`,
        order.shipping_state,
        countryName(order.shipping_country) ?? order.shipping_country,
      ]),
    ],
    [
      t.delivery.billing,
      billing &&
        lines([
          billing.name,
          billing.line1,
          billing.line2,
          `${billing.postal_code} ${billing.city}`,
          billing.state,
          countryName(billing.country) ?? billing.country,
        ]),
    ],
    [t.delivery.taxNumber, billing?.tax_number],
    [t.edit.customerNotes, order.notes],
    [t.delivery.provider, t.delivery.providers[order.payment_provider] ?? order.payment_provider],
    [
      t.delivery.invoice,
      order.invoice_url === null ? null : (
        <a key="invoice" href={order.invoice_url} target="_blank" rel="noreferrer">
          {t.delivery.openInvoice}
        </a>
      ),
    ],
  ];
  return facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part?.trim() ? [part.trim()] : [])).join(', ');
}

function Downloads({ order }: { order: OrderDetail }) {
  return (
    <Section title={t.downloads.title}>
      <ul className="order-downloads">
        {order.downloads.map(({ token, url, filename, remaining, expires_at }) => (
          <li key={token}>
            <a href={url}>{filename}</a>{' '}
            <span className="muted">
              {remaining === null ? t.downloads.unlimited : t.downloads.left(remaining)}
              {expires_at === null ? null : (
                <>
                  , <Sentence words={t.downloads.until} parts={[<Moment key="at" at={expires_at} />]} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Activate({ id }: { id: number }) {
  const queries = useQueryClient();
  const [isAsked, ask] = useState(false);
  const [isDone, setDone] = useState(false);
  const form = useRecordForm({
    values: { external_subscription_id: '', external_customer_id: '' },
    send: (values, options) => orderWrites.activateSubscription(id, values, options),
    onSaved: async () => {
      await refreshOrders(queries);
      setDone(true);
    },
  });
  if (isDone) return <Banner tone="done">{t.subscription.done}</Banner>;
  if (!isAsked) {
    return (
      <Button kind="quiet" onClick={() => ask(true)}>
        {t.subscription.act}
      </Button>
    );
  }
  return (
    <Section title={t.subscription.title}>
      <p className="muted">{t.subscription.why}</p>
      <Form
        label={t.subscription.title}
        form={form}
        submit={t.subscription.submit}
        showFailure={(failure) => <Failure error={failure} words={t.subscription.failures} />}
        acts={
          <Button kind="quiet" onClick={() => ask(false)}>
            {t.subscription.cancel}
          </Button>
        }
      >
        <TextField label={t.subscription.external} {...form.text('external_subscription_id')} />
        <TextField label={t.subscription.customer} {...form.text('external_customer_id')} />
      </Form>
    </Section>
  );
}
