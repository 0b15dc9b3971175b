import { getRouteApi } from '@tanstack/react-router';
import type { Product } from '../../../contract/products.ts';
import { blanks } from '../../parts/blanks.ts';
import { type ListDescription, useViewedList } from '../../parts/list/viewed-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { ProductImage } from '../../parts/product-image.tsx';
import { defined, oneOf, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { productsText as t } from '../../texts/products.ts';
import { keptChoice } from '../../ui/choice.ts';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { ProductsBar } from './bulk/bar.tsx';
import { NewProduct } from './new-product.tsx';
import { Prices, ProductStage, ProductStock } from './parts.tsx';
import { productsPage } from './queries.ts';
import {
  type ProductFilters,
  type ProductsSearch,
  productKinds,
  productSorts,
  productStatuses,
  readProductFilters,
  stockStates,
} from './search.ts';

const route = getRouteApi('/products');

const NEWEST_FIRST = '-created_at';

const columns: readonly Column<Product>[] = [
  {
    name: 'name',
    head: t.columns.name,
    sort: 'name',
    cell: ({ id, name, is_subscription, kind, media_ids }) => (
      <span className="product-named">
        <ProductImage id={id} isBare={media_ids.length === 0} />
        <span>
          {name} {is_subscription ? <span className="tag">{t.subscription}</span> : null}{' '}
          {kind === 'digital' ? <span className="tag">{t.digital}</span> : null}
        </span>
      </span>
    ),
  },
  { name: 'status', head: t.columns.status, cell: ({ status }) => <ProductStage status={status} /> },
  { name: 'variants', head: t.columns.variants, cell: ({ variants }) => variants.length, isNumber: true, isMinor: true },
  {
    name: 'stock',
    head: t.columns.stock,
    sort: 'stock',
    cell: (product) => <ProductStock product={product} />,
    isNumber: true,
    isLowestFirst: true,
    isMinor: true,
  },
  { name: 'price', head: t.columns.price, sort: 'price', cell: ({ variants }) => <Prices variants={variants} />, isNumber: true },
  {
    name: 'created',
    head: t.columns.created,
    sort: 'created_at',
    cell: ({ created_at }) => <Moment at={created_at} kind="day" />,
    isMinor: true,
  },
  {
    name: 'updated',
    head: t.columns.updated,
    sort: 'updated_at',
    cell: ({ updated_at }) => <Moment at={updated_at} kind="day" />,
    isMinor: true,
  },
];

const viewed: ListDescription<ProductFilters, Product> = {
  screen: 'products',
  read: readProductFilters,
  builtIn: [{ name: t.all, filters: {} }, ...productStatuses.map((status) => ({ name: t.status[status], filters: { status } }))],
  columns,
  usual: ['name', 'status', 'variants', 'stock', 'price'],
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
      sort={{
        by: filters.sort ?? NEWEST_FIRST,
        set: (by) => patch({ sort: by === NEWEST_FIRST ? undefined : oneOf(productSorts, by), cursor: undefined }),
      }}
      bulk={(selection) => <ProductsBar {...selection} filters={filters} words={wordsOf(filters)} />}
      dropFilters={isFiltered ? () => void navigate({ search: {} }) : undefined}
      blank={blanks.products}
      empty={t.empty}
      create={may('admin_api.products.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/products/$id', params: { id } })}
      sheet={() => <NewProduct close={() => patch({ new: undefined })} />}
    />
  );
}

/** The filters in words, for a sentence that says what they found. */
function wordsOf({ q, status, kind, stock }: ProductFilters): string {
  return [
    q === undefined ? '' : text.list.quoted(q),
    status === undefined ? '' : t.status[status],
    kind === undefined ? '' : t.kinds[kind],
    stock === undefined ? '' : `${t.filters.stock}: ${t.filters.stocks[stock]}`,
  ]
    .filter(Boolean)
    .join(', ');
}
