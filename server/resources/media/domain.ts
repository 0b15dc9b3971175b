import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { imageTypes, type Media } from '../../../contract/media.ts';
import type { ProductImage } from '../../../contract/product-images.ts';
import { fold } from '../../../contract/values.ts';
import type { Db, Store } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { Ctx } from '../../verbs/context.ts';
import { listPage } from '../../verbs/list-pages.ts';
import { Refusal, refuseMissing, refuseValue } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { UploadRule } from '../../verbs/route.ts';
import { dropStored, keepUpload } from '../storage/domain.ts';
import { IMAGE_HEAD_BYTES, imageFacts } from './rules.ts';
import { type StoredMedia, selectFirstOfProducts, selectServed, selectUser, storedMedia } from './store.ts';

export const recordVersions = {
  media: storedMedia.version,
} satisfies RecordVersions;

/** Images do not count against the storage cap, which is for what the shop sells and what it keeps for customers. */
export const mediaUpload: UploadRule = { counts: false, headBytes: IMAGE_HEAD_BYTES };

export function listMedia(ctx: Ctx, query: InputOf<Endpoints['media.list']>['query']) {
  const list = storedMedia.list(ctx, fold(query.search ?? ''));
  return listPage(query, storedMedia.order, { ...list, rows: async (ids) => (await list.rows(ids)).map(shown) });
}

export async function getMedia(ctx: Ctx, id: number): Promise<Media> {
  return shown(await getRecord(ctx, storedMedia, id));
}

export async function createMedia(ctx: Ctx, alt: string): Promise<Media> {
  const { key, filename, sizeBytes, head } = await keepUpload(ctx);
  const image = imageFacts(head);
  if (image === null) throw refuseValue('not_an_image', '/file', `accepted are ${imageTypes.join(', ')}, recognised by their content`);
  const media = await storedMedia.insert(ctx.db, {
    filename,
    content_type: image.contentType,
    size_bytes: sizeBytes,
    width: image.width,
    height: image.height,
    alt,
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
  const media = await lockRecord(ctx, storedMedia, id);
  const after = { ...media, alt: alt ?? media.alt };
  const changed = after.alt !== media.alt;
  if (changed) await storedMedia.update(ctx.db, media, after);
  ctx.audit({
    resource: { type: 'media', id },
    changes: changed ? { alt: [media.alt, after.alt] } : {},
    summary: `Image ${id} "${media.filename}" ${changed ? 'described anew' : 'unchanged'}`,
  });
  return shown(after);
}

/** Removes an image from the pages that show it; returns the pages' ids. */
export type ClearFromPages = (ctx: Ctx, mediaId: number) => Promise<number[]>;

export async function deleteMedia(ctx: Ctx, files: FileStore, clearFromPages: ClearFromPages, id: number): Promise<undefined> {
  const media = await lockRecord(ctx, storedMedia, id);
  const product = await selectUser(ctx.db, id);
  if (product)
    throw new Refusal('in_use', `The image is shown by product ${product.id} "${product.name}"; remove it from the product first.`);
  const pageIds = await clearFromPages(ctx, id);
  await storedMedia.remove(ctx.db, id);
  await dropStored(ctx, files, media.storage_key);
  ctx.audit({
    resource: { type: 'media', id },
    changes: { filename: [media.filename, null], ...(pageIds.length > 0 ? { og_image_of_pages: [pageIds, []] } : {}) },
    summary: `Image ${id} "${media.filename}" deleted`,
  });
}

/**
 * Refuses ids of images that do not exist, and locks the others, so that they stay until the transaction ends. `pointerTo`
 * gives the place of each id in the body.
 */
export async function holdMedia(ctx: Ctx, ids: readonly number[], pointerTo: (index: number) => string): Promise<void> {
  const held = new Set((await storedMedia.holdAll(ctx, ids)).map(({ id }) => id));
  refuseMissing(ids, held, { code: 'media_not_found', what: 'image', pointerTo });
}

/** The URL of an image; null if there is no image with this id. */
export async function mediaUrl(db: Db, id: number): Promise<string | null> {
  const media = await storedMedia.find(db, id);
  return media ? shown(media).url : null;
}

/** The first image of each of these products that has one, in the order of the ids. */
export async function imagesOfProducts(ctx: Ctx, ids: readonly number[]): Promise<ProductImage[]> {
  const images = new Map((await selectFirstOfProducts(ctx.db, ids)).map((image) => [image.product_id, image]));
  return ids.flatMap((id) => {
    const image = images.get(id);
    if (!image) return [];
    const { storage_key, ...shown } = image;
    return [{ ...shown, url: urlOf(storage_key) }];
  });
}

/** Opens the image that `/media/<key>` shows to anybody. */
export async function openMedia({ reader }: Store, files: FileStore, key: string): Promise<{ contentType: string; content: Content }> {
  const [media] = await selectServed(reader, { key });
  const content = media ? await files.open(key) : null;
  if (!media || !content) throw new Refusal('not_found', 'There is no such image.');
  return { contentType: media.content_type, content };
}

function shown({ storage_key, ...media }: StoredMedia): Media {
  return { ...media, url: urlOf(storage_key) };
}

function urlOf(key: string): string {
  return `/media/${key}`;
}
