import type { InputOf } from '../../../contract/endpoint.ts';
import { imageTypes, type Media, type mediaList } from '../../../contract/media.ts';
import { fold } from '../../../contract/values.ts';
import type { Ctx } from '../../context.ts';
import type { Db, Store } from '../../db/open.ts';
import { rowVersion } from '../../db/row-version.ts';
import { BY_CREATION, listPage } from '../../pages.ts';
import { notFound, Refusal, refuseMissing, refuseValue } from '../../problem.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { dropStored, keepUpload, type UploadRule } from '../storage/domain.ts';
import { IMAGE_HEAD_BYTES, imageFacts } from './rules.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  media: rowVersion('media'),
};

/** Pictures are of the shop's pages: the storage cap is about what the shop sells and keeps for its customers. */
export const mediaUpload: UploadRule = { counts: false, headBytes: IMAGE_HEAD_BYTES };

export async function listMedia(ctx: Ctx, query: InputOf<typeof mediaList>['query']) {
  const searchFolded = fold(query.search ?? '');
  return listPage(
    query,
    BY_CREATION,
    {
      keys: (reading) => store.selectMediaKeys(ctx, searchFolded, reading),
      count: () => store.countMedia(ctx, searchFolded),
      rows: async (ids) => (await store.selectMedia(ctx.db, ids)).map(shown),
    },
    { descending: true },
  );
}

export async function getMedia(ctx: Ctx, id: number): Promise<Media> {
  const [media] = await store.selectMedia(ctx.db, [id]);
  if (!media) throw notFound('media', id);
  return shown(media);
}

export async function createMedia(ctx: Ctx, alt: string): Promise<Media> {
  const { key, filename, sizeBytes, head } = await keepUpload(ctx);
  const image = imageFacts(head);
  if (image === null) throw refuseValue('not_an_image', '/file', `accepted are ${imageTypes.join(', ')}, recognised by their content`);
  const media = await store.insertMedia(ctx.db, {
    filename,
    filename_folded: fold(filename),
    content_type: image.contentType,
    size_bytes: sizeBytes,
    width: image.width,
    height: image.height,
    alt,
    alt_folded: fold(alt),
    storage_key: key,
    created_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'media', id: media.id },
    changes: { filename: [null, filename], size_bytes: [null, sizeBytes], alt: [null, alt] },
    summary: `Image ${media.id} "${filename}" uploaded`,
  });
  return shown(media);
}

export async function updateMedia(ctx: Ctx, id: number, alt: string | undefined): Promise<Media> {
  const media = await store.lockMedia(ctx, id);
  if (!media) throw notFound('media', id);
  const changed = alt !== undefined && alt !== media.alt;
  if (changed) await store.updateAlt(ctx.db, id, { alt, alt_folded: fold(alt) });
  ctx.audit({
    resource: { type: 'media', id },
    changes: changed ? { alt: [media.alt, alt] } : {},
    summary: `Image ${id} "${media.filename}" ${changed ? 'described anew' : 'unchanged'}`,
  });
  return shown({ ...media, alt: alt ?? media.alt });
}

/** Takes an image out of the pages that show it; returns their ids. */
export type ClearFromPages = (ctx: Ctx, mediaId: number) => Promise<number[]>;

export async function deleteMedia(ctx: Ctx, files: FileStore, clearFromPages: ClearFromPages, id: number): Promise<undefined> {
  const media = await store.lockMedia(ctx, id);
  if (!media) throw notFound('media', id);
  const product = await store.selectUser(ctx.db, id);
  if (product) throw new Refusal('in_use', `The image is shown by product ${product.id} "${product.name}".`);
  const pageIds = await clearFromPages(ctx, id);
  await store.deleteMedia(ctx.db, id);
  await dropStored(ctx, files, media.storage_key);
  ctx.audit({
    resource: { type: 'media', id },
    changes: { filename: [media.filename, null], ...(pageIds.length > 0 ? { og_image_of_pages: [pageIds, []] } : {}) },
    summary: `Image ${id} "${media.filename}" deleted`,
  });
}

/** Whether a record may name them all; they stay until the transaction ends. `pointerTo`: where each is in the body. */
export async function holdMedia(ctx: Ctx, ids: readonly number[], pointerTo: (index: number) => string): Promise<void> {
  const held = await store.holdMedia(ctx, ids);
  refuseMissing(ids, held, { code: 'media_not_found', what: 'image', pointerTo });
}

/** Where a record's image is shown; null: there is none of this id. */
export async function mediaUrl(db: Db, id: number): Promise<string | null> {
  const [media] = await store.selectMedia(db, [id]);
  return media ? shown(media).url : null;
}

/** What `/media/<key>` shows to anybody. */
export async function openMedia({ reader }: Store, files: FileStore, key: string): Promise<{ contentType: string; content: Content }> {
  const [media] = await store.selectServed(reader, { key });
  const content = media ? await files.open(key) : null;
  if (!media || !content) throw new Refusal('not_found', 'There is no such image.');
  return { contentType: media.content_type, content };
}

function shown({ storage_key, ...media }: Omit<Media, 'url'> & { storage_key: string }): Media {
  return { ...media, url: `/media/${storage_key}` };
}
