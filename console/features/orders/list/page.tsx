import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { blanks } from '../../../parts/blanks.ts';
import { ColumnMenu, useColumns } from '../../../parts/list/columns.tsx';
import { useViews, ViewActs, ViewTabs } from '../../../parts/list/views.tsx';
import { useNewRows } from '../../../parts/new-rows.ts';
import { defined, oneOf, without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { keptChoice } from '../../../ui/choice.ts';
import { List } from '../../../ui/list.tsx';
import { PageHead } from '../../../ui/page.tsx';
import { WithSheet } from '../../../ui/sheet.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Pager, SearchField, SelectionPlace, Toolbar } from '../../../ui/toolbar.tsx';
import { internalStatuses } from '../order-queries.ts';
import { ordersPage } from '../queries.ts';
import { type OrderFilters, type OrdersSearch, readFilters, sorts } from '../search.ts';
import { OrderSheet } from '../sheet/sheet.tsx';
import { OrdersBar } from './bulk.tsx';
import { orderColumns, usualColumns } from './columns.tsx';
import { FilterChips, FilterMenu, filterWords, useAddedFilters } from './filters.tsx';
import { builtInViews } from './views.ts';
import './page.css';

const route = getRouteApi('/orders');
const NEWEST_FIRST = '-created_at';

const viewed = { screen: 'orders', read: readFilters };

/** The columns of this browser, where no saved view says which. */
const columnChoice = keptChoice('backroom.orders.columns');

export function OrdersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const goTo = useNavigate();
  const queries = useQueryClient();
  const may = useMay();
  const { open, cursor, tab: _, view: viewId, ...filters } = search;
  const page = useQuery(ordersPage(filters, cursor));
  const internal = useQuery({ ...internalStatuses, enabled: may('admin_api.order_statuses.read') });
  const view = useViews(viewed.screen)?.find(({ id }) => id === viewId);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const searchField = useRef<HTMLInputElement>(null);
  const addedFilters = useAddedFilters();
  const columns = useColumns(columnChoice, usualColumns, view, viewId);
  const go = (next: OrdersSearch): void => void navigate({ search: next });
  /** Other filters: from their first page, with the same order open. */
  const filter = (next: OrderFilters): void => go({ ...next, ...defined({ view: viewId, open, tab: search.tab }) });
  const nextCursor = page.data?.next_cursor;
  const isNewestFirst = cursor === undefined && (filters.sort ?? NEWEST_FIRST) === NEWEST_FIRST;
  const held = useNewRows(JSON.stringify([filters, cursor]), page.isPlaceholderData ? undefined : page.data?.data, isNewestFirst);
  const rows = page.isPlaceholderData ? page.data?.data : held.rows;
  useShortcuts({
    '/': () => searchField.current?.focus(),
    ...(may('admin_api.orders.write') ? { n: () => void goTo({ to: '/orders/new' }) } : {}),
    ...(open === undefined ? {} : { escape: () => go(without(search, 'open', 'tab')) }),
  });
  useEffect(() => {
    if (nextCursor) void queries.prefetchQuery(ordersPage(filters, nextCursor));
  });

  /** To the order before or after the one that is open, on this page of the list. */
  function step(by: 1 | -1): (() => void) | null {
    const at = rows?.findIndex(({ id }) => id === open) ?? -1;
    const to = at < 0 ? undefined : rows?.[at + by];
    return to ? () => go({ ...search, open: to.id }) : null;
  }

  const all = orderColumns(internal.data ?? []);
  const words = filterWords(filters);
  /** An empty shop has the act in the middle of its list, and nowhere else. */
  const isEmpty = rows?.length === 0 && words === '' && cursor === undefined;
  const createLink = may('admin_api.orders.write') ? (
    <ButtonLink to="/orders/new" kind="first" keys="n">
      {t.create}
    </ButtonLink>
  ) : null;
  const filterProps = { filters, set: filter, ...addedFilters };
  return (
    <>
      <PageHead title={t.title} note={page.data ? t.count(page.data.total) : ' '}>
        <ButtonLink to="/orders/calendar">{t.calendar}</ButtonLink>
        {isEmpty ? null : createLink}
      </PageHead>
      <Toolbar>
        <ViewTabs
          list={viewed}
          builtIn={builtInViews}
          filters={filters}
          view={viewId}
          go={(its, saved) => {
            addedFilters.setAdded([]);
            go({ ...its, ...defined({ view: saved?.id, open, tab: search.tab }) });
          }}
        />
      </Toolbar>
      <Toolbar>
        <SearchField
          field={searchField}
          label={t.search}
          value={search.q ?? ''}
          set={(q) => filter(q === '' ? without(filters, 'q') : { ...filters, q })}
        />
        <FilterMenu {...filterProps} />
        <div className="acts end">
          <ViewActs
            list={viewed}
            filters={filters}
            view={view}
            columns={columns.chosen}
            opened={(made) => go({ ...filters, ...defined({ view: made?.id, open, tab: search.tab }) })}
          />
          <ColumnMenu all={all} fixed="customer" shown={columns.shown} set={columns.set} />
        </div>
      </Toolbar>
      <FilterChips {...filterProps} />
      <WithSheet
        sheet={
          open === undefined ? null : (
            <OrderSheet
              key={open}
              id={open}
              tab={search.tab ?? 'order'}
              goTo={(tab) => go(tab === 'order' ? without(search, 'tab') : { ...search, tab })}
              close={() => go(without(search, 'open', 'tab'))}
              previous={step(-1)}
              next={step(1)}
            />
          )
        }
      >
        {held.count > 0 ? (
          <Button className="new-rows" onClick={held.show}>
            {t.newRows(held.count)}
          </Button>
        ) : null}
        <List
          label={t.title}
          query={{ ...page, data: rows }}
          columns={all.filter(({ name }) => columns.shown.includes(name))}
          idOf={({ id }) => id}
          nameOf={({ public_id }) => public_id}
          open={open}
          onOpen={({ id }) => go({ ...search, open: id })}
          selection={{ ids: selected, set: setSelected }}
          sort={{
            by: filters.sort ?? NEWEST_FIRST,
            set: (by) => {
              const sort = by === NEWEST_FIRST ? undefined : oneOf(sorts, by);
              filter({ ...without(filters, 'sort'), ...defined({ sort }) });
            },
          }}
          blank={blanks.orders}
          empty={t.emptyShop}
          emptyAct={createLink}
          filteredBy={words}
          dropFilters={
            words === ''
              ? undefined
              : () => {
                  addedFilters.setAdded([]);
                  go(defined({ open, tab: search.tab }));
                }
          }
        />
        <Pager cursor={cursor} next={nextCursor} go={(next) => go({ ...without(search, 'cursor'), ...defined({ cursor: next }) })} />
        <SelectionPlace>
          {selected.size > 0 ? (
            <OrdersBar ids={selected} total={page.data?.total ?? 0} filters={filters} words={words} select={setSelected} />
          ) : null}
        </SelectionPlace>
      </WithSheet>
    </>
  );
}
