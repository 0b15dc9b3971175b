import { type SelectQueryBuilder, sql } from 'kysely';
import type { DigitalFile } from '../../../contract/files.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';

export function selectFileKeys(at: At, searchFolded: string, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, searchFolded), reading);
}

export async function countFiles(at: At, searchFolded: string): Promise<number> {
  const { count } = await matching(at, searchFolded)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export async function selectFiles(db: Db, ids: readonly number[]): Promise<DigitalFile[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('files').selectAll().where('id', 'in', ids).execute();
  return rows.map(toFile);
}

/** Locked: the first thing that a change asks for. */
export async function lockFile({ db, dialect }: At, id: number): Promise<DigitalFile | null> {
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ? toFile(row) : null;
}

/** Those that there are, each with who uploaded it; none can go away before this transaction ends. */
export async function holdFiles({ db, dialect }: At, ids: readonly number[]): Promise<Map<number, number | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('files')
    .select(['id', 'uploaded_by'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forShare)
    .execute();
  return new Map(rows.map(({ id, uploaded_by }) => [id, uploaded_by]));
}

export async function insertFile(db: Db, file: NewRow<'files'>): Promise<DigitalFile> {
  return toFile(await db.insertInto('files').values(file).returningAll().executeTakeFirstOrThrow());
}

export async function renameFile(
  db: Db,
  id: number,
  name: Pick<NewRow<'files'>, 'original_filename' | 'original_filename_folded'>,
): Promise<void> {
  await db
    .updateTable('files')
    .set({ ...name, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteFile(db: Db, id: number): Promise<void> {
  await db.deleteFrom('files').where('id', '=', id).execute();
}

/** A product that sells it. */
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

/** An access group that opens it. */
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

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'files', object> {
  const query = db.selectFrom('files');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('original_filename_folded'), searchFolded));
}

function toFile({ original_filename_folded: _, row_version: __, ...row }: Row<'files'>): DigitalFile {
  return row;
}
