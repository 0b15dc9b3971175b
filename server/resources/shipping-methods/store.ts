import { type SelectQueryBuilder, sql } from 'kysely';
import { ShippingMethod } from '../../../contract/shipping-methods.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database, Row } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

export function shippingMethods(at: At, searchFolded: string): List<ShippingMethod> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: async (ids) => (await at.db.selectFrom('shipping_methods').selectAll().where('id', 'in', ids).execute()).map(toMethod),
  };
}

/** `hold`: nobody else changes it before this transaction ends. */
export async function selectMethod({ db, dialect }: At, id: number, hold: boolean): Promise<ShippingMethod | null> {
  const query = db.selectFrom('shipping_methods').selectAll().where('id', '=', id);
  const row = await (hold ? query.modifyEnd(dialect.forUpdate) : query).executeTakeFirst();
  return row ? toMethod(row) : null;
}

export async function selectLastSortOrder(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('shipping_methods')
    .select(sql<number>`coalesce(max(sort_order), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  return last;
}

export async function insertMethod(db: Db, method: Omit<ShippingMethod, 'id'>): Promise<ShippingMethod> {
  const { countries, ...row } = { ...method, name_folded: fold(method.name), active: method.active ? 1 : 0 };
  const { id } = await db
    .insertInto('shipping_methods')
    .values({ ...row, countries: JSON.stringify(countries) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, ...method };
}

export function updateMethod(db: Db, id: number, changes: Partial<ShippingMethod>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('shipping_methods');

export async function deleteMethod(db: Db, id: number): Promise<void> {
  await db.deleteFrom('shipping_methods').where('id', '=', id).execute();
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'shipping_methods', object> {
  const query = db.selectFrom('shipping_methods');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}

function toMethod({ name_folded: _, row_version: __, ...row }: Row<'shipping_methods'>): ShippingMethod {
  return { ...row, countries: ShippingMethod.shape.countries.parse(JSON.parse(row.countries)), active: row.active === 1 };
}
