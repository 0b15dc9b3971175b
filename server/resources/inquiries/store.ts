import { type SelectQueryBuilder, sql } from 'kysely';
import { emailKey } from '../../../contract/emails.ts';
import type { Inquiry } from '../../../contract/inquiries.ts';
import type { At, Db } from '../../db/open.ts';
import { type Changes, changesOf } from '../../db/queries/change-cursors.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { isInSearchText } from '../../db/queries/words.ts';
import type { Database } from '../../db/tables.ts';
import { sortKey } from '../../values/texts.ts';
import type { Word } from '../../values/words.ts';
import { NEWEST_FIRST } from '../../verbs/list-pages.ts';

export type InquiryFilter = {
  words: readonly Word[];
  searchFolded: string;
  answered: boolean | undefined;
  updatedSince: string | undefined;
};

export const inquiries = recordTable('inquiries', {
  type: 'inquiry',
  toRecord: ({ email_folded: _, search_folded: __, row_version: ___, changed_in: ____, ...row }): Inquiry => row,
  toRow: (inquiry) => ({
    ...inquiry,
    email_folded: emailKey(inquiry.email),
    search_folded: sortKey([inquiry.name, inquiry.email, inquiry.subject].join('\n')),
  }),
  search: ['search_folded'],
  order: NEWEST_FIRST,
});

export function filteredInquiries(at: At, filter: InquiryFilter): List<Inquiry> {
  return listOf(matching(at, filter), (ids) => inquiries.findAll(at.db, ids));
}

export function inquiryChanges(at: At, filter: InquiryFilter): Changes<Inquiry> {
  return changesOf(at, matching(at, filter), (ids) => inquiries.findAll(at.db, ids));
}

export async function blankInquiries(db: Db, { customerId, email }: { customerId: number; email: string }, now: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE inquiries SET ${blanked('inquiries')}, updated_at = ${now}, row_version = row_version + 1
    WHERE id IN (
      SELECT id FROM inquiries WHERE customer_id = ${customerId}
      UNION ALL SELECT id FROM inquiries WHERE email_folded = ${emailKey(email)} AND email_folded <> ''
    ) RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function hasInquiries(db: Db, customerId: number): Promise<boolean> {
  return (await db.selectFrom('inquiries').select('id').where('customer_id', '=', customerId).limit(1).execute()).length > 0;
}

function matching(
  { db, dialect }: At,
  { words, searchFolded, answered, updatedSince }: InquiryFilter,
): SelectQueryBuilder<Database, 'inquiries', object> {
  let query = db.selectFrom('inquiries');
  if (answered !== undefined) query = query.where('answered_at', answered ? 'is not' : 'is', null);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  for (const word of words) query = query.where(isInSearchText(dialect, word));
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('search_folded'), searchFolded));
}
