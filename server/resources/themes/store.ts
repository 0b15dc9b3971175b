import type { SelectQueryBuilder } from 'kysely';
import type { Theme } from '../../../contract/themes.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

type StoredTheme = Omit<Theme, 'active'> & { active: number };

const columns = ['id', 'name', 'active', 'created_at'] as const;

export function themes(at: At, searchFolded: string): List<Theme> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: async (ids) => (await at.db.selectFrom('themes').select(columns).where('id', 'in', ids).execute()).map(toTheme),
  };
}

export async function selectTheme(db: Db, id: number): Promise<Theme | null> {
  const row = await db.selectFrom('themes').select(columns).where('id', '=', id).executeTakeFirst();
  return row ? toTheme(row) : null;
}

export async function lockTheme({ db, dialect }: At, id: number): Promise<Theme | null> {
  const row = await db.selectFrom('themes').select(columns).where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ? toTheme(row) : null;
}

export async function insertTheme(db: Db, { name, created_at }: Pick<Theme, 'name' | 'created_at'>): Promise<Theme> {
  const row = { name, name_folded: fold(name), active: 0, created_at };
  return toTheme(await db.insertInto('themes').values(row).returning(columns).executeTakeFirstOrThrow());
}

export function updateTheme(db: Db, id: number, changes: Partial<Theme>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('themes');

/** With its templates. */
export async function deleteTheme(db: Db, id: number): Promise<void> {
  await db.deleteFrom('themes').where('id', '=', id).execute();
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'themes', object> {
  const query = db.selectFrom('themes');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}

function toTheme(row: StoredTheme): Theme {
  return { ...row, active: row.active === 1 };
}
