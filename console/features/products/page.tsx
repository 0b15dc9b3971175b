import { getRouteApi } from '@tanstack/react-router';
import type { Product } from '../../../contract/products.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { productsText as t } from '../../texts/products.ts';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { NewProduct } from './new-product.tsx';
import { Prices, ProductStage, ProductStock } from './parts.tsx';
import { productsPage } from './queries.ts';
import { type ProductsSearch, productKinds, productStatuses, stockStates } from './search.ts';

const route = getRouteApi('/products');

const columns: Column<Product>[] = [
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
  { name: 'stock', head: t.columns.stock, cell: ({ variants }) => <ProductStock variants={variants} />, isNumber: true, isMinor: true },
  { name: 'price', head: t.columns.price, cell: ({ variants }) => <Prices variants={variants} />, isNumber: true },
];

export function ProductsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<ProductsSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const { status, kind, stock } = search;
  const isFiltered = status !== undefined || kind !== undefined || stock !== undefined;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => productsPage(search, cursor)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      filters={[undefined, ...productStatuses].map((one) => (
        <ViewTab key={one ?? 'all'} isOn={status === one} onClick={() => patch({ status: one, cursor: undefined })}>
          {one === undefined ? t.all : t.status[one]}
        </ViewTab>
      ))}
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
      dropFilters={
        isFiltered ? () => patch({ q: undefined, status: undefined, kind: undefined, stock: undefined, cursor: undefined }) : undefined
      }
      blank={blanks.products}
      empty={t.empty}
      create={may('admin_api.products.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/products/$id', params: { id } })}
      sheet={() => <NewProduct close={() => patch({ new: undefined })} />}
    />
  );
}
