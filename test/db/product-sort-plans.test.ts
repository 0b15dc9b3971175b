import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Reading, SortColumn } from '../../server/db/queries/keyset.ts';
import { selectFirstOfProducts } from '../../server/resources/media/store.ts';
import { type ProductFilter, products } from '../../server/resources/products/search-store.ts';
import { selectOrdered } from '../../server/resources/products/store.ts';
import { plansOf } from '../helpers/engine-plans.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

after(stopPostgres);

const all: ProductFilter = {
  searchFolded: '',
  words: [],
  status: undefined,
  kind: undefined,
  lowBelow: null,
  isOut: false,
  updatedSince: undefined,
};

const sorts: [SortColumn, index: string, value: string | number][] = [
  [{ name: 'name_folded', type: 'text' }, 'products_by_name', 'TEA'],
  [{ name: 'sort_price', type: 'integer' }, 'products_by_price', 100],
  [{ name: 'sort_stock', type: 'integer' }, 'products_by_stock', 3],
  [{ name: 'created_at', type: 'text' }, 'products_by_created', '2026-01-01T00:00:00.000Z'],
  [{ name: 'updated_at', type: 'text' }, 'products_by_updated', '2026-01-01T00:00:00.000Z'],
];

for (const engine of engines) {
  test(`PD1: a page of products in each order walks the index of that order and sorts nothing [${engine}]`, async () => {
    const database = await createDatabase(engine);
    try {
      await plansOf[engine](database, async (planOf) => {
        for (const [column, index, value] of sorts) {
          for (const descending of [false, true]) {
            for (const [place, after] of [['first', null] as const, ['later', { value, id: 7 }] as const]) {
              const reading: Reading = { sort: column.name, column, descending, page: 1, perPage: 50, after };
              const [plan = ''] = await planOf((at) => products(at, all).keys(reading));
              const told = `${place} ${descending ? '-' : ''}${index}: ${plan}`;
              assert.match(plan, new RegExp(`\\b${index}\\b`), told);
              assert.doesNotMatch(plan, /USE TEMP B-TREE|Sort|Seq Scan/, told);
            }
          }
        }
      });
    } finally {
      await database.drop();
    }
  });

  test(`PD8, PD9: first images, and what was ordered, are found by the ids of products [${engine}]`, async () => {
    const database = await createDatabase(engine);
    try {
      await plansOf[engine](database, async (planOf) => {
        for (const read of [selectFirstOfProducts, selectOrdered]) {
          const [plan = ''] = await planOf(({ db }) => read(db, [1, 2, 3]));
          assert.match(plan, /index/i, plan);
          assert.doesNotMatch(plan, /Seq Scan|^SCAN/m, plan);
        }
      });
    } finally {
      await database.drop();
    }
  });
}
