import type { Theme } from '../../../contract/themes.ts';
import type { Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';

/** Deleting a theme also deletes its templates (a cascading foreign key). */
export const themes = recordTable('themes', {
  type: 'theme',
  toRecord: ({ name_folded: _, row_version: __, ...row }): Theme => ({ ...row, active: row.active === 1 }),
  toRow: (theme) => toColumns(theme, ['name']),
  search: ['name_folded'],
  order: { name: 'name_folded', type: 'text' },
});

export function setActive(db: Db, id: number, active: boolean): Promise<void> {
  return themes.setColumns(db, id, { active: Number(active) });
}
