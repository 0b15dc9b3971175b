import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { imageTypes, type Media } from '../../../contract/media.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { statement } from '../../db/statement.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';

type StoredMedia = Omit<Media, 'url'> & { storage_key: string };

export function selectMediaKeys(at: At, searchFolded: string, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, searchFolded), reading);
}

export async function countMedia(at: At, searchFolded: string): Promise<number> {
  const { count } = await matching(at, searchFolded)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export async function selectMedia(db: Db, ids: readonly number[]): Promise<StoredMedia[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
  return rows.map(toMedia);
}

/** Locked: the first thing that a change asks for. */
export async function lockMedia({ db, dialect }: At, id: number): Promise<StoredMedia | null> {
  const row = await db.selectFrom('media').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return row ? toMedia(row) : null;
}

/** Those that there are; none can go away before this transaction ends. */
export async function holdMedia({ db, dialect }: At, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('media').select('id').where('id', 'in', ids).orderBy('id').modifyEnd(dialect.forShare).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function insertMedia(db: Db, media: NewRow<'media'>): Promise<StoredMedia> {
  return toMedia(await db.insertInto('media').values(media).returningAll().executeTakeFirstOrThrow());
}

export async function updateAlt(db: Db, id: number, alt: { alt: string; alt_folded: string }): Promise<void> {
  await db
    .updateTable('media')
    .set({ ...alt, row_version: sql<number>`row_version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteMedia(db: Db, id: number): Promise<void> {
  await db.deleteFrom('media').where('id', '=', id).execute();
}

/** A product that shows it. */
export async function selectUser(db: Db, id: number): Promise<{ id: number; name: string } | null> {
  const row = await db
    .selectFrom('product_media as m')
    .innerJoin('products as p', 'p.id', 'm.product_id')
    .select(['p.id', 'p.name'])
    .where('m.media_id', '=', id)
    .orderBy('m.product_id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export const selectServed = statement<{ key: string }, { content_type: string }>(
  (value) => sql`SELECT content_type FROM media WHERE storage_key = ${value('key')}`,
);

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'media', object> {
  const query = db.selectFrom('media');
  if (searchFolded === '') return query;
  return query.where((eb) =>
    eb.or([dialect.contains(eb.ref('filename_folded'), searchFolded), dialect.contains(eb.ref('alt_folded'), searchFolded)]),
  );
}

const ContentType = z.enum(imageTypes);

function toMedia({ filename_folded: _, alt_folded: __, row_version: ___, ...row }: Row<'media'>): StoredMedia {
  return { ...row, content_type: ContentType.parse(row.content_type) };
}
