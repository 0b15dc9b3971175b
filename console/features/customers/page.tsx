import { getRouteApi } from '@tanstack/react-router';
import type { CustomerRow } from '../../../contract/customers.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { DateField } from '../../ui/date-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { NewCustomer } from './new-customer.tsx';
import { customersPage } from './queries.ts';
import { type CustomersSearch, customerSorts } from './search.ts';

const route = getRouteApi('/customers');

const columns: Column<CustomerRow>[] = [
  {
    name: 'name',
    head: t.columns.name,
    cell: ({ name, registered }) => (
      <>
        {name || <span className="muted">{t.removed}</span>} {registered ? null : <span className="tag">{t.guest}</span>}
      </>
    ),
  },
  { name: 'email', head: t.columns.email, cell: ({ email }) => <span className="muted">{email}</span> },
  { name: 'phone', head: t.columns.phone, cell: ({ phone }) => <span className="muted">{phone}</span>, isMinor: true },
  { name: 'since', head: t.columns.since, cell: ({ created_at }) => <Moment at={created_at} kind="day" />, isMinor: true },
];

export function CustomersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<CustomersSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const { account, from, to, sort } = search;
  const isFiltered = account !== undefined || from !== undefined || to !== undefined;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => customersPage(search, cursor)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      filters={([undefined, 'with', 'without'] as const).map((one) => (
        <ViewTab key={one ?? 'all'} isOn={account === one} onClick={() => patch({ account: one, cursor: undefined })}>
          {t.accounts[one ?? 'all']}
        </ViewTab>
      ))}
      moreFilters={<Filters search={search} patch={patch} sort={sort} />}
      dropFilters={
        isFiltered ? () => patch({ q: undefined, account: undefined, from: undefined, to: undefined, cursor: undefined }) : undefined
      }
      empty={t.empty}
      create={may('admin_api.customers.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
      sheet={() => <NewCustomer close={() => patch({ new: undefined })} />}
    />
  );
}

function Filters({
  search: { from, to },
  patch,
  sort = '-created_at',
}: {
  search: CustomersSearch;
  patch: Patch<CustomersSearch>;
  sort: CustomersSearch['sort'];
}) {
  const day = (name: 'from' | 'to', value: string | undefined) => (
    <DateField
      label={t.filters[name]}
      value={value ?? ''}
      onValue={(date) => patch({ [name]: date === '' ? undefined : date, cursor: undefined })}
    />
  );
  return (
    <>
      {day('from', from)}
      {day('to', to)}
      <SelectField
        label={t.filters.sort}
        value={sort}
        options={customerSorts.map((one) => [one, t.sorts[one]] as const)}
        onValue={(value) => patch({ sort: value === '-created_at' ? undefined : value, cursor: undefined })}
      />
    </>
  );
}
