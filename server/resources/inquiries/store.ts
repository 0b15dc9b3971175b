import { type SelectQueryBuilder, sql } from 'kysely';
import type { Inquiry } from '../../../contract/inquiries.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import type { Database, NewRow } from '../../db/tables.ts';

export type InquiryFilter = { searchFolded: string; answered: boolean | undefined };

const COLUMNS = ['id', 'customer_id', 'name', 'email', 'subject', 'body', 'answer', 'answered_at', 'created_at'] as const;

export function selectInquiryKeys(at: At, filter: InquiryFilter, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, filter), reading);
}

export async function countInquiries(at: At, filter: InquiryFilter): Promise<number> {
  const { count } = await matching(at, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export function selectInquiries(db: Db, ids: readonly number[]): Promise<Inquiry[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('inquiries').select(COLUMNS).where('id', 'in', ids).execute();
}

export function lockInquiry({ db, dialect }: At, id: number): Promise<Inquiry | undefined> {
  return db.selectFrom('inquiries').select(COLUMNS).where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
}

export function insertInquiry(db: Db, row: NewRow<'inquiries'>): Promise<Inquiry> {
  return db.insertInto('inquiries').values(row).returning(COLUMNS).executeTakeFirstOrThrow();
}

export function updateInquiry(db: Db, id: number, changes: Partial<NewRow<'inquiries'>>): Promise<Inquiry> {
  return db
    .updateTable('inquiries')
    .set({ ...changes, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteInquiry(db: Db, id: number): Promise<void> {
  await db.deleteFrom('inquiries').where('id', '=', id).execute();
}

export async function blankInquiries(db: Db, { customerId, emailFolded }: { customerId: number; emailFolded: string }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE inquiries SET name = '', email = '', email_folded = '', subject = '', body = '', search_folded = '',
      answer = CASE WHEN answer IS NULL THEN NULL ELSE '' END, row_version = row_version + 1
    WHERE id IN (
      SELECT id FROM inquiries WHERE customer_id = ${customerId}
      UNION ALL SELECT id FROM inquiries WHERE email_folded = ${emailFolded} AND email_folded <> ''
    ) RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function hasInquiries(db: Db, customerId: number): Promise<boolean> {
  return (await db.selectFrom('inquiries').select('id').where('customer_id', '=', customerId).limit(1).execute()).length > 0;
}

function matching({ db, dialect }: At, { searchFolded, answered }: InquiryFilter): SelectQueryBuilder<Database, 'inquiries', object> {
  let query = db.selectFrom('inquiries');
  if (answered !== undefined) query = query.where('answered_at', answered ? 'is not' : 'is', null);
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('search_folded'), searchFolded));
}
