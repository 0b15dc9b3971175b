import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SubscriptionDetail } from '../../../contract/subscriptions.ts';
import { ifMatch, type Tagged } from '../../api/client.ts';
import type { Steps } from '../../parts/list-page.tsx';
import { RecordLink } from '../../parts/record-link.tsx';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay, useShop } from '../../parts/shop.ts';
import { Moment, Money } from '../../parts/values.tsx';
import { subscriptionsText as t } from '../../texts/subscriptions.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts, Section, Sentence } from '../../ui/page.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls, invoices, subscriptionRecord } from './queries.ts';
import { SubscriptionStage } from './stage.tsx';

export function SubscriptionSheet({ id, steps, close }: { id: number; steps: Steps; close(): void }) {
  const subscription = useQuery(subscriptionRecord(id));
  const { value } = subscription.data ?? {};
  const marks = value ? <SubscriptionStage status={value.status} isEnding={value.cancel_at_period_end} /> : null;
  return (
    <Sheet title={<code>{value?.public_id ?? id}</code>} marks={marks} close={close} {...steps}>
      <Loaded query={subscription}>{(record) => <Subscription {...record} />}</Loaded>
    </Sheet>
  );
}

const hasEnded = ({ status }: SubscriptionDetail): boolean => status === 'canceled' || status === 'incomplete_expired';

function Subscription({ value: subscription, etag }: Tagged<SubscriptionDetail>) {
  const may = useMay();
  const reload = useReload();
  return (
    <>
      <Facts facts={factsOf(subscription)} />
      {may('admin_api.subscriptions.write') && !hasEnded(subscription) ? (
        <p className="acts above-form">
          <Remove
            name={subscription.public_id}
            act={t.cancel}
            back={t.keep}
            title={t.cancelTitle(subscription.customer_name || subscription.customer_email)}
            run={() => calls.cancel(subscription.id, ifMatch(etag))}
            onDone={() => reload('subscriptions')}
          >
            <WhatCancelDoes subscription={subscription} />
          </Remove>
        </p>
      ) : null}
      <Invoices id={subscription.id} />
    </>
  );
}

/** As the server does it: at once, whatever the terms of sale say, and at the provider only where one is set up. */
function WhatCancelDoes({ subscription }: { subscription: SubscriptionDetail }) {
  const { payment_provider_configured: hasProvider } = useShop();
  return (
    <>
      <p>{t.cancelAtOnce}</p>
      {subscription.cancellation_policy === 'period_end' ? (
        <p>
          <Sentence words={t.cancelThoughPaid} parts={[<Moment key="at" at={subscription.current_period_end} kind="day" />]} />
        </p>
      ) : null}
      <p>{hasProvider ? t.cancelAtProvider : t.cancelHereOnly}</p>
    </>
  );
}

function factsOf(subscription: SubscriptionDetail): (readonly [string, ReactNode])[] {
  const { customer_id, customer_name, customer_email, product_id, product_name, variant_label, quantity } = subscription;
  const customer = customer_name || customer_email;
  const product = `${quantity > 1 ? `${quantity} × ` : ''}${product_name} ${variant_label}`;
  const facts: (readonly [string, ReactNode])[] = [
    [
      t.columns.customer,
      customer_id === null ? (
        customer
      ) : (
        <RecordLink key="customer" permission="admin_api.customers.read" to="/customers/$id" params={{ id: customer_id }}>
          {customer}
        </RecordLink>
      ),
    ],
    [
      t.columns.product,
      <RecordLink key="product" permission="admin_api.products.read" to="/products/$id" params={{ id: product_id }}>
        {product}
      </RecordLink>,
    ],
    [
      t.columns.price,
      <span key="price">
        <Money minor={subscription.unit_amount_cents} currency={subscription.currency} />{' '}
        {t.every(subscription.billing_interval_count, subscription.billing_interval)}
      </span>,
    ],
    [
      t.period,
      <span key="period">
        <Moment at={subscription.current_period_start} kind="day" /> – <Moment at={subscription.current_period_end} kind="day" />
      </span>,
    ],
    [t.policy, t.policies[subscription.cancellation_policy]],
    [t.cycles, subscription.max_billing_cycles === null ? t.unlimited : t.after(subscription.max_billing_cycles)],
  ];
  if (subscription.initial_order_id !== null) {
    facts.push([
      t.order,
      <RecordLink key="order" permission="admin_api.orders.read" to="/orders" search={{ open: subscription.initial_order_id }}>
        <code>{subscription.initial_order_public_id}</code>
      </RecordLink>,
    ]);
  }
  for (const [name, at] of [
    [t.began, subscription.created_at],
    [t.canceled, subscription.canceled_at],
    [t.ended, subscription.ended_at],
  ] as const) {
    if (at !== null) facts.push([name, <Moment key={name} at={at} />]);
  }
  facts.push([t.atProvider, <code key="provider">{subscription.external_subscription_id}</code>]);
  return facts;
}

function Invoices({ id }: { id: number }) {
  const list = useQuery(invoices(id));
  return (
    <Section title={t.invoices}>
      <Loaded query={list} rows={3}>
        {(all) =>
          all.length === 0 ? (
            <p className="muted">{t.noInvoices}</p>
          ) : (
            <ul className="rows">
              {all.map((invoice) => (
                <li key={invoice.id}>
                  <div>
                    <Moment at={invoice.period_start} kind="day" /> – <Moment at={invoice.period_end} kind="day" />{' '}
                    <span className="tag">{t.invoiceStatus[invoice.status] ?? invoice.status}</span>
                    {invoice.hosted_invoice_url === null ? null : (
                      <p>
                        <a href={invoice.hosted_invoice_url} target="_blank" rel="noreferrer">
                          {t.openInvoice}
                        </a>
                      </p>
                    )}
                  </div>
                  <Money minor={invoice.amount_total_cents} currency={invoice.currency} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
