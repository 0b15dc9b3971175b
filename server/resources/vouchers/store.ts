import { sql } from 'kysely';
import { type Voucher, VoucherKind } from '../../../contract/vouchers.ts';
import type { At, Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { countRows } from '../../db/queries/keyset.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { takenIn } from '../../db/queries/unique-values.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export const vouchers = recordTable('vouchers', {
  type: 'voucher',
  toRecord: toVoucher,
  toRow: (voucher) => toColumns(voucher, ['code']),
  search: ['code_folded'],
  order: { name: 'code_folded', type: 'text' },
});

export const isCodeTaken = takenIn('vouchers', 'code_folded');

/** Finds a voucher by its code. `hold` locks it, so that no other transaction uses it before this one ends. */
export async function selectByCode({ db, dialect }: At, codeFolded: string, hold: boolean): Promise<Voucher | null> {
  const query = db.selectFrom('vouchers').selectAll().where('code_folded', '=', codeFolded);
  const row = await (hold ? query.modifyEnd(dialect.forUpdate) : query).executeTakeFirst();
  return row ? toVoucher(row) : null;
}

/** Locks the vouchers with these ids, with this code, and that these orders use, in the order of their ids. */
export async function lockVouchers(
  { db, dialect }: At,
  { ids = [], codeFolded, usedBy = [] }: { ids?: readonly number[]; codeFolded?: string; usedBy?: readonly number[] },
): Promise<void> {
  const ofCode =
    codeFolded === undefined ? [] : await db.selectFrom('vouchers').select('id').where('code_folded', '=', codeFolded).execute();
  const used =
    usedBy.length === 0 ? [] : await db.selectFrom('voucher_uses').select('voucher_id as id').where('order_id', 'in', usedBy).execute();
  const all = new Set([...ids, ...[...ofCode, ...used].map(({ id }) => id)]);
  if (all.size === 0) return;
  await db
    .selectFrom('vouchers')
    .select('id')
    .where('id', 'in', [...all])
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

/** How many orders of a customer use the voucher, without one order. */
export function countUsesOf(db: Db, voucherId: number, customerId: number, exceptOrderId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('voucher_uses')
      .where('customer_id', '=', customerId)
      .where('voucher_id', '=', voucherId)
      .where('order_id', '<>', exceptOrderId),
  );
}

export async function isUsedBy(db: Db, voucherId: number, orderId: number): Promise<boolean> {
  const row = await db
    .selectFrom('voucher_uses')
    .select('voucher_id')
    .where('voucher_id', '=', voucherId)
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a use; returns false if the order uses the voucher already. */
export async function insertUse(db: Db, use: NewRow<'voucher_uses'>): Promise<boolean> {
  const row = await db
    .insertInto('voucher_uses')
    .values(use)
    .onConflict((conflict) => conflict.columns(['voucher_id', 'order_id']).doNothing())
    .returning('voucher_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the uses of an order; returns the ids of the vouchers. */
export async function deleteUsesOf(db: Db, orderId: number): Promise<number[]> {
  const rows = await db.deleteFrom('voucher_uses').where('order_id', '=', orderId).returning('voucher_id').execute();
  return rows.map(({ voucher_id }) => voucher_id);
}

export async function addUses(db: Db, voucherIds: readonly number[], delta: 1 | -1): Promise<void> {
  await db
    .updateTable('vouchers')
    .set({ used_count: sql<number>`used_count + CAST(${delta} AS bigint)` })
    .where('id', 'in', voucherIds)
    .execute();
}

function toVoucher({ code_folded: _, row_version: __, ...row }: Row<'vouchers'>): Voucher {
  return { ...row, kind: VoucherKind.parse(row.kind), active: row.active === 1 };
}
