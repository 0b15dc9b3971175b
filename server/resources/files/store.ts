import type { DigitalFile } from '../../../contract/files.ts';
import type { Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { NEWEST_FIRST } from '../../verbs/list-pages.ts';

export const digitalFiles = recordTable('files', {
  type: 'file',
  toRecord: ({ original_filename_folded: _, row_version: __, ...row }): DigitalFile => row,
  toRow: (file) => toColumns(file, ['original_filename']),
  search: ['original_filename_folded'],
  order: NEWEST_FIRST,
});

/** A product that sells the file, or null. */
export async function selectUser(db: Db, id: number): Promise<{ id: number; name: string } | null> {
  const row = await db
    .selectFrom('product_files as f')
    .innerJoin('products as p', 'p.id', 'f.product_id')
    .select(['p.id', 'p.name'])
    .where('f.file_id', '=', id)
    .orderBy('f.product_id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** An access group that gives access to the file, or null. */
export async function selectGroupOf(db: Db, id: number): Promise<{ id: number; name: string } | null> {
  const row = await db
    .selectFrom('access_group_files as f')
    .innerJoin('access_groups as g', 'g.id', 'f.group_id')
    .select(['g.id', 'g.name'])
    .where('f.file_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
