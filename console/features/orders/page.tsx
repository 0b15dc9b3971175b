import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OrderRow } from '../../../contract/orders.ts';
import { useMay } from '../../app/shop.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { ordersText as t } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, PageHead, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Moment, Money } from '../../ui/values.tsx';
import { BulkBar } from './bulk.tsx';
import { OrderStage, PaymentStage } from './parts.tsx';
import { ordersPage } from './queries.ts';
import type { OrdersSearch } from './search.ts';
import { OrderSheet } from './sheet.tsx';
import './page.css';

const route = getRouteApi('/orders');
const counts = new Intl.NumberFormat('en');
const SEARCH_AFTER_MS = 250;

const columns: Column<OrderRow>[] = [
  { name: 'number', head: t.columns.number, cell: ({ public_id }) => <code>{public_id}</code>, isMinor: true },
  {
    name: 'placed',
    head: t.columns.placed,
    cell: ({ created_at }) => (
      <span className="muted">
        <Moment at={created_at} />
      </span>
    ),
    isMinor: true,
  },
  {
    name: 'customer',
    head: t.columns.customer,
    cell: ({ customer_name, shipping_country, is_test }) => (
      <>
        {customer_name} <span className="muted">{shipping_country}</span> {is_test ? <span className="tag">{t.test}</span> : null}
      </>
    ),
  },
  { name: 'status', head: t.columns.status, cell: ({ status }) => <OrderStage status={status} /> },
  { name: 'payment', head: t.columns.payment, cell: ({ payment_status }) => <PaymentStage status={payment_status} />, isMinor: true },
  { name: 'total', head: t.columns.total, cell: ({ total, currency }) => <Money minor={total} currency={currency} />, isNumber: true },
];

const views: readonly { name: string; search: OrdersSearch }[] = [
  { name: t.all, search: {} },
  { name: t.views.toSend, search: { status: 'processing' } },
  { name: t.views.failed, search: { payment: 'failed' } },
  { name: t.views.cancelled, search: { status: 'cancelled' } },
];

export function OrdersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const may = useMay();
  const page = useQuery(ordersPage(search));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const searchField = useRef<HTMLInputElement>(null);
  const go = (next: OrdersSearch): void => void navigate({ search: next });
  const { open: _, cursor: __, ...filters } = search;
  const nextCursor = page.data?.next_cursor;
  useShortcuts({ '/': () => searchField.current?.focus(), ...(search.open === undefined ? {} : { escape: () => go({ ...filters }) }) });
  useEffect(() => {
    if (nextCursor) void queries.prefetchQuery(ordersPage({ ...search, cursor: nextCursor }));
  }, [nextCursor, queries, search]);

  return (
    <>
      <PageHead title={t.title} note={page.data ? t.count(counts.format(page.data.total)) : ' '} />
      <div className="order-filters">
        {views.map((view) => (
          <button
            key={view.name}
            type="button"
            className="view-tab"
            aria-pressed={isSame(filters, view.search)}
            onClick={() => go({ ...view.search, ...(search.open === undefined ? {} : { open: search.open }) })}
          >
            {view.name}
          </button>
        ))}
        <SearchField field={searchField} value={search.q ?? ''} set={(q) => go(q === '' ? without(filters, 'q') : { ...filters, q })} />
      </div>
      {selected.size > 0 ? <BulkBar ids={selected} mayChange={may('admin_api.orders.write')} clear={() => setSelected(new Set())} /> : null}
      {page.error && !page.data ? <Problem error={page.error} retry={() => void page.refetch()} /> : null}
      <div className={search.open === undefined ? 'with-sheet' : 'with-sheet open'}>
        <div className={page.isPlaceholderData ? 'order-list stale' : 'order-list'}>
          {page.isPending ? <Skeleton rows={12} /> : null}
          {page.data?.data.length === 0 ? (
            <Empty title={isSame(filters, {}) ? t.emptyShop : t.emptyFilter}>
              {isSame(filters, {}) ? null : <Button onClick={() => go({})}>{t.drop}</Button>}
            </Empty>
          ) : null}
          {page.data && page.data.data.length > 0 ? (
            <Table
              label={t.title}
              rows={page.data.data}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ public_id }) => public_id}
              open={search.open}
              onOpen={({ id }) => go({ ...search, open: id })}
              selection={{ ids: selected, set: setSelected }}
            />
          ) : null}
          <div className="pager">
            {search.cursor === undefined ? null : <Button onClick={() => go(filters)}>{t.first}</Button>}
            {nextCursor ? <Button onClick={() => go({ ...filters, cursor: nextCursor })}>{t.next}</Button> : null}
          </div>
        </div>
        {search.open === undefined ? null : <OrderSheet key={search.open} id={search.open} close={() => go(without(search, 'open'))} />}
      </div>
    </>
  );
}

/** The list follows what is typed, a moment later; the field follows the address. */
function SearchField({ field, value, set }: { field: React.RefObject<HTMLInputElement | null>; value: string; set(value: string): void }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const save = useEffectEvent(set);
  useEffect(() => {
    if (typed.trim() === known) return;
    const timer = setTimeout(() => save(typed.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, known]);
  return (
    <input
      ref={field}
      className="input order-search"
      type="search"
      aria-label={t.search}
      placeholder={t.search}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

function without<T extends object, K extends keyof T>(values: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = values;
  return rest;
}

function isSame(a: OrdersSearch, b: OrdersSearch): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
