import { sql } from 'kysely';
import { z } from 'zod';
import { imageTypes, type Media } from '../../../contract/media.ts';
import type { Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { statement } from '../../db/queries/statement.ts';
import { NEWEST_FIRST } from '../../verbs/list-pages.ts';

export type StoredMedia = Omit<Media, 'url'> & { storage_key: string };

const ContentType = z.enum(imageTypes);

export const storedMedia = recordTable('media', {
  type: 'media',
  toRecord: ({ filename_folded: _, alt_folded: __, row_version: ___, ...row }): StoredMedia => ({
    ...row,
    content_type: ContentType.parse(row.content_type),
  }),
  toRow: (media) => toColumns(media, ['filename', 'alt']),
  search: ['filename_folded', 'alt_folded'],
  order: NEWEST_FIRST,
});

/** A product that shows the image, or null. */
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

/** The image with the lowest position of each product; the order of the rows is not defined. */
export function selectFirstOfProducts(db: Db, productIds: readonly number[]) {
  return db
    .selectFrom('product_media as p')
    .innerJoin('media as m', 'm.id', 'p.media_id')
    .select(['p.product_id', 'p.media_id', 'm.storage_key', 'm.size_bytes'])
    .where('p.product_id', 'in', productIds)
    .where('p.position', '=', (eb) =>
      eb
        .selectFrom('product_media as other')
        .select(sql<number>`min(other.position)`.as('first'))
        .whereRef('other.product_id', '=', 'p.product_id'),
    )
    .execute();
}

export const selectServed = statement<{ key: string }, { content_type: string }>(
  (value) => sql`SELECT content_type FROM media WHERE storage_key = ${value('key')}`,
);
