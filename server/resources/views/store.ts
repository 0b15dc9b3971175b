import { z } from 'zod';
import { View } from '../../../contract/views.ts';
import type { Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import type { Row } from '../../db/tables.ts';

/** A view as it is stored, without what depends on who asks. */
export type StoredView = Omit<View, 'own'>;

declare module '../../db/tables.ts' {
  interface Database {
    saved_views: TableOf<StoredView, 'name'>;
  }
}

const Json = z.string().transform((json): unknown => JSON.parse(json));
const Stored = View.omit({ own: true }).extend({
  search: Json.pipe(View.shape.search),
  columns: Json.pipe(z.array(z.string())).nullable(),
  shared: z.literal([0, 1]).transform((shared) => shared === 1),
});

function toView({ name_folded: _, row_version: __, ...row }: Row<'saved_views'>): StoredView {
  return Stored.parse(row);
}

export const views = recordTable('saved_views', {
  type: 'view',
  toRecord: toView,
  toRow: (view) => toColumns(view, ['name']),
  search: ['name_folded'],
  order: { name: 'position', type: 'integer' },
});

/** The views that an admin sees, of one screen or of all (null): their own and those that are shared. */
export async function selectVisible(db: Db, adminId: number, screen: string | null): Promise<StoredView[]> {
  let query = db.selectFrom('saved_views').selectAll();
  query = query.where((eb) => eb.or([eb('admin_id', '=', adminId), eb('shared', '=', 1)]));
  if (screen !== null) query = query.where('screen', '=', screen);
  return (await query.orderBy('position').orderBy('id').execute()).map(toView);
}

/** The views of one admin, at most as many as an admin may have. */
export async function selectOwn(db: Db, adminId: number): Promise<StoredView[]> {
  return (await db.selectFrom('saved_views').selectAll().where('admin_id', '=', adminId).execute()).map(toView);
}
