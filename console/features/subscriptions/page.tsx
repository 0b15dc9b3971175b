import { getRouteApi } from '@tanstack/react-router';
import type { SubscriptionRow, SubscriptionStatus } from '../../../contract/subscriptions.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { Moment, Money } from '../../parts/values.tsx';
import { subscriptionsText as t } from '../../texts/subscriptions.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { subscriptionsPage } from './queries.ts';
import { type SubscriptionsSearch, statuses } from './search.ts';
import { SubscriptionSheet } from './sheet.tsx';
import { SubscriptionStage } from './stage.tsx';

const route = getRouteApi('/subscriptions');

const columns: Column<SubscriptionRow>[] = [
  { name: 'number', head: t.columns.number, cell: ({ public_id }) => <code>{public_id}</code>, isMinor: true },
  { name: 'customer', head: t.columns.customer, cell: ({ customer_name, customer_email }) => customer_name || customer_email },
  {
    name: 'product',
    head: t.columns.product,
    cell: ({ product_name, variant_label, quantity }) => (
      <>
        {quantity > 1 ? `${quantity} × ` : ''}
        {product_name} <span className="muted">{variant_label}</span>
      </>
    ),
    isMinor: true,
  },
  {
    name: 'status',
    head: t.columns.status,
    cell: ({ status, cancel_at_period_end }) => <SubscriptionStage status={status} isEnding={cancel_at_period_end} />,
  },
  { name: 'until', head: t.columns.until, cell: ({ current_period_end }) => <Moment at={current_period_end} kind="day" />, isMinor: true },
  {
    name: 'price',
    head: t.columns.price,
    cell: ({ unit_amount_cents, currency }) => <Money minor={unit_amount_cents} currency={currency} />,
    isNumber: true,
  },
];

export function SubscriptionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const patch: Patch<SubscriptionsSearch & { new?: true }> = ({ new: _, ...change }) =>
    void navigate({ search: (old) => defined({ ...old, ...change }) });
  const { status, customer, product, order } = search;
  const isFiltered = [status, customer, product, order].some((one) => one !== undefined);
  const only = [
    ['customer', customer],
    ['product', product],
    ['order', order],
  ] as const;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => subscriptionsPage(search, cursor)}
      columns={columns}
      nameOf={({ public_id }) => public_id}
      searchLabel={t.search}
      filters={
        <>
          <ViewTab isOn={status === undefined} onClick={() => patch({ status: undefined, cursor: undefined })}>
            {t.all}
          </ViewTab>
          <ViewTab isOn={status === 'active'} onClick={() => patch({ status: 'active', cursor: undefined })}>
            {t.status.active}
          </ViewTab>
          <ViewTab isOn={status === 'past_due'} onClick={() => patch({ status: 'past_due', cursor: undefined })}>
            {t.status.past_due}
          </ViewTab>
          <SelectField
            label={t.columns.status}
            isLabelHidden
            value={status ?? ''}
            options={[['', t.anyStatus], ...statuses.map((one): [SubscriptionStatus, string] => [one, t.status[one]])]}
            onValue={(one) => patch({ status: one === '' ? undefined : one, cursor: undefined })}
          />
          {only.map(([name, id]) =>
            id === undefined ? null : (
              <Button key={name} aria-label={t.dropOnly[name]} onClick={() => patch({ [name]: undefined, cursor: undefined })}>
                {t.only[name](id)} ×
              </Button>
            ),
          )}
        </>
      }
      dropFilters={
        isFiltered
          ? () => patch({ q: undefined, status: undefined, customer: undefined, product: undefined, order: undefined, cursor: undefined })
          : undefined
      }
      blank={blanks.subscriptions}
      empty={t.empty}
      sheet={(steps) =>
        search.open === undefined ? null : (
          <SubscriptionSheet key={search.open} id={search.open} steps={steps} close={() => patch({ open: undefined })} />
        )
      }
    />
  );
}
