import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { CustomerRow } from '../../../contract/customers.ts';
import { blanks } from '../../parts/blanks.ts';
import { ExportButton } from '../../parts/list/export-button.tsx';
import { type ListDescription, useViewedList } from '../../parts/list/viewed-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, oneOf, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { customersText as t } from '../../texts/customers.ts';
import { keptChoice } from '../../ui/choice.ts';
import { DateField } from '../../ui/date-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { CustomersBar } from './bulk.tsx';
import { NewCustomer } from './new-customer.tsx';
import { customersPage, exportPath } from './queries.ts';
import { type CustomerFilters, type CustomersSearch, customerSorts, readCustomerFilters } from './search.ts';

const route = getRouteApi('/customers');

const NEWEST_FIRST = '-created_at';

/** `sort`: what the API sorts by. */
const columns: readonly Column<CustomerRow>[] = [
  {
    name: 'name',
    head: t.columns.name,
    sort: 'name',
    cell: ({ name, registered }) => (
      <>
        {name || <span className="muted">{t.removed}</span>} {registered ? null : <span className="tag">{t.guest}</span>}
      </>
    ),
  },
  { name: 'email', head: t.columns.email, sort: 'email', cell: ({ email }) => <span className="muted">{email}</span> },
  { name: 'phone', head: t.columns.phone, cell: ({ phone }) => <span className="muted">{phone}</span>, isMinor: true },
  {
    name: 'since',
    head: t.columns.since,
    sort: 'created_at',
    cell: ({ created_at }) => <Moment at={created_at} kind="day" />,
    isMinor: true,
  },
];

const viewed: ListDescription<CustomerFilters, CustomerRow> = {
  screen: 'customers',
  read: readCustomerFilters,
  builtIn: [
    { name: t.accounts.all, filters: {} },
    { name: t.accounts.with, filters: { account: 'with' } },
    { name: t.accounts.without, filters: { account: 'without' } },
  ],
  columns,
  usual: columns.map(({ name }) => name),
  fixed: 'name',
  kept: keptChoice('backroom.customers.columns'),
};

export function CustomersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<CustomersSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const filters = readCustomerFilters(search);
  const list = useViewedList(viewed, {
    filters,
    view: search.view,
    go: (its, view) => void navigate({ search: defined({ ...its, view }) }),
  });
  // The page that is shown, for how many there are: it is not read twice.
  const page = useQuery({ ...customersPage(filters, search.cursor), placeholderData: keepPreviousData });
  const isFiltered = filters.account !== undefined || filters.from !== undefined || filters.to !== undefined;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => customersPage(filters, cursor)}
      columns={list.columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      views={list.views}
      acts={
        <>
          <ExportButton path={exportPath(filters)} name={t.title} total={page.data?.total ?? 0} isQuiet />
          {list.acts}
        </>
      }
      moreFilters={<Filters filters={filters} patch={patch} />}
      dropFilters={isFiltered ? () => void navigate({ search: {} }) : undefined}
      sort={{
        by: filters.sort ?? NEWEST_FIRST,
        set: (by) => patch({ sort: by === NEWEST_FIRST ? undefined : oneOf(customerSorts, by), cursor: undefined }),
      }}
      blank={blanks.customers}
      bulk={(selection) => <CustomersBar {...selection} filters={filters} words={wordsOf(filters)} />}
      empty={t.empty}
      create={may('admin_api.customers.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
      sheet={() => <NewCustomer close={() => patch({ new: undefined })} />}
    />
  );
}

/** The filters in words, for a sentence that says what they found. */
function wordsOf({ q, account, from, to }: CustomerFilters): string {
  return [
    q === undefined ? '' : text.list.quoted(q),
    account === undefined ? '' : t.accounts[account],
    from === undefined && to === undefined ? '' : `${t.filters.from}: ${from ?? '…'} – ${to ?? '…'}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function Filters({ filters, patch }: { filters: CustomerFilters; patch: Patch<CustomersSearch> }) {
  const day = (name: 'from' | 'to') => (
    <DateField
      label={t.filters[name]}
      value={filters[name] ?? ''}
      onValue={(date) => patch({ [name]: date === '' ? undefined : date, cursor: undefined })}
    />
  );
  return (
    <>
      <SelectField
        label={t.filters.account}
        value={filters.account ?? ''}
        options={(['', 'with', 'without'] as const).map((one) => [one, t.accounts[one === '' ? 'all' : one]] as const)}
        onValue={(one) => patch({ account: one === '' ? undefined : one, cursor: undefined })}
      />
      {day('from')}
      {day('to')}
    </>
  );
}
