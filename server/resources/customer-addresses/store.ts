import type { CustomerAddress } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import type { Row } from '../../db/tables.ts';

type NewAddress = Omit<CustomerAddress, 'id'>;

export async function selectAddress(db: Db, customerId: number, id: number): Promise<CustomerAddress | null> {
  const row = await db.selectFrom('addresses').selectAll().where('id', '=', id).where('customer_id', '=', customerId).executeTakeFirst();
  return row ? toAddress(row) : null;
}

/** The row version of the customer; null if the customer has no such address. */
export async function selectVersion(db: Db, customerId: number, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('addresses')
    .innerJoin('customers', 'customers.id', 'addresses.customer_id')
    .select('customers.row_version')
    .where('addresses.id', '=', id)
    .where('addresses.customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.row_version ?? null;
}

export async function insertAddress(db: Db, customerId: number, address: NewAddress): Promise<CustomerAddress> {
  const row = await db
    .insertInto('addresses')
    .values({ ...address, is_default: address.is_default ? 1 : 0, customer_id: customerId })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAddress(row);
}

export async function updateAddress(db: Db, id: number, changes: Partial<NewAddress>): Promise<void> {
  await db.updateTable('addresses').set(toColumns(changes)).where('id', '=', id).execute();
}

/** Called before another address becomes the default of its type. */
export async function clearDefault(db: Db, customerId: number, type: string): Promise<void> {
  await db.updateTable('addresses').set({ is_default: 0 }).where('customer_id', '=', customerId).where('address_type', '=', type).execute();
}

export async function deleteAddress(db: Db, id: number): Promise<void> {
  await db.deleteFrom('addresses').where('id', '=', id).execute();
}

export async function deleteAddresses(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('addresses').where('customer_id', '=', customerId).execute();
}

function toAddress({ customer_id: _, ...row }: Row<'addresses'>): CustomerAddress {
  return { ...row, is_default: row.is_default === 1 };
}
