import { type SelectQueryBuilder, sql } from 'kysely';
import type { PickupLocation } from '../../../contract/pickup-locations.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database, Row } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

export function pickupLocations(at: At, searchFolded: string): List<PickupLocation> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: async (ids) => (await at.db.selectFrom('pickup_locations').selectAll().where('id', 'in', ids).execute()).map(toLocation),
  };
}

/** `hold`: nobody else changes it before this transaction ends. */
export async function selectLocation({ db, dialect }: At, id: number, hold: boolean): Promise<PickupLocation | null> {
  const query = db.selectFrom('pickup_locations').selectAll().where('id', '=', id);
  const row = await (hold ? query.modifyEnd(dialect.forUpdate) : query).executeTakeFirst();
  return row ? toLocation(row) : null;
}

export async function selectLastSortOrder(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('pickup_locations')
    .select(sql<number>`coalesce(max(sort_order), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  return last;
}

export async function insertLocation(db: Db, location: Omit<PickupLocation, 'id'>): Promise<PickupLocation> {
  const row = { ...location, name_folded: fold(location.name), active: location.active ? 1 : 0 };
  const { id } = await db.insertInto('pickup_locations').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, ...location };
}

export function updateLocation(db: Db, id: number, changes: Partial<PickupLocation>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('pickup_locations');

export async function deleteLocation(db: Db, id: number): Promise<void> {
  await db.deleteFrom('pickup_locations').where('id', '=', id).execute();
}

/** An order that is or was picked up there. */
export async function selectOrderOf(db: Db, id: number): Promise<number | null> {
  const order = await db.selectFrom('orders').select('id').where('pickup_location_id', '=', id).limit(1).executeTakeFirst();
  return order?.id ?? null;
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'pickup_locations', object> {
  const query = db.selectFrom('pickup_locations');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}

function toLocation({ name_folded: _, row_version: __, ...row }: Row<'pickup_locations'>): PickupLocation {
  return { ...row, active: row.active === 1 };
}
