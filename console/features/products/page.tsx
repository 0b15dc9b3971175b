import { getRouteApi } from '@tanstack/react-router';
import type { Product } from '../../../contract/products.ts';
import { blanks } from '../../parts/blanks.ts';
import { type ListDescription, useViewedList } from '../../parts/list/viewed-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { productsText as t } from '../../texts/products.ts';
import { keptChoice } from '../../ui/choice.ts';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { NewProduct } from './new-product.tsx';
import { Prices, ProductStage, ProductStock } from './parts.tsx';
import { productsPage } from './queries.ts';
import { type ProductFilters, type ProductsSearch, productKinds, productStatuses, readProductFilters, stockStates } from './search.ts';

const route = getRouteApi('/products');

const columns: readonly Column<Product>[] = [
  {
    name: 'name',
    head: t.columns.name,
    cell: ({ name, is_subscription, kind }) => (
      <>
        {name} {is_subscription ? <span className="tag">{t.subscription}</span> : null}{' '}
        {kind === 'digital' ? <span className="tag">{t.digital}</span> : null}
      </>
    ),
  },
  { name: 'status', head: t.columns.status, cell: ({ status }) => <ProductStage status={status} /> },
  { name: 'variants', head: t.columns.variants, cell: ({ variants }) => variants.length, isNumber: true, isMinor: true },
  { name: 'stock', head: t.columns.stock, cell: (product) => <ProductStock product={product} />, isNumber: true, isMinor: true },
  { name: 'price', head: t.columns.price, cell: ({ variants }) => <Prices variants={variants} />, isNumber: true },
];

const viewed: ListDescription<ProductFilters, Product> = {
  screen: 'products',
  read: readProductFilters,
  builtIn: [{ name: t.all, filters: {} }, ...productStatuses.map((status) => ({ name: t.status[status], filters: { status } }))],
  columns,
  usual: columns.map(({ name }) => name),
  fixed: 'name',
  kept: keptChoice('backroom.products.columns'),
};

export function ProductsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<ProductsSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const filters = readProductFilters(search);
  const { kind, stock } = filters;
  const list = useViewedList(viewed, {
    filters,
    view: search.view,
    go: (its, view) => void navigate({ search: defined({ ...its, view }) }),
  });
  const isFiltered = filters.status !== undefined || kind !== undefined || stock !== undefined;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => productsPage(filters, cursor)}
      columns={list.columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      views={list.views}
      acts={list.acts}
      moreFilters={
        <>
          <SelectField
            label={t.filters.kind}
            value={kind ?? ''}
            options={[['', t.filters.any], ...productKinds.map((one): [(typeof productKinds)[number], string] => [one, t.kinds[one]])]}
            onValue={(one) => patch({ kind: one === '' ? undefined : one, cursor: undefined })}
          />
          <SelectField
            label={t.filters.stock}
            value={stock ?? ''}
            options={[
              ['', t.filters.any],
              ...stockStates.map((one): [(typeof stockStates)[number], string] => [one, t.filters.stocks[one]]),
            ]}
            onValue={(one) => patch({ stock: one === '' ? undefined : one, cursor: undefined })}
          />
        </>
      }
      dropFilters={isFiltered ? () => void navigate({ search: {} }) : undefined}
      blank={blanks.products}
      empty={t.empty}
      create={may('admin_api.products.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/products/$id', params: { id } })}
      sheet={() => <NewProduct close={() => patch({ new: undefined })} />}
    />
  );
}
