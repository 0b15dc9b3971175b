import type { OrderDownload } from '../../../contract/orders.ts';
import type { Store } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { randomSecret } from '../tokens/secret.ts';
import { allowanceFrom, whyEnded } from './rules.ts';
import * as store from './store.ts';

export async function downloadsOf(ctx: Ctx, orderId: number): Promise<OrderDownload[]> {
  const rows = await store.selectDownloads(ctx.db, { orderId });
  return rows.map((row) => ({ ...row, url: `/downloads/${row.token}` }));
}

/**
 * Makes links for the digital lines of a delivered order: one for each line and file, made once. Links that a cancellation
 * ended get a new allowance (spec O15). The caller has locked the order. Returns how many links are new or renewed.
 */
export async function makeDownloads(ctx: Ctx, orderId: number): Promise<number> {
  const allowance = allowanceFrom(ctx.now, ctx.settings);
  const renewed = await store.renewRevoked(ctx.db, orderId, allowance);
  const missing = await store.selectMissing(ctx.db, orderId);
  const made = missing.map((line) => ({
    ...line,
    ...allowance,
    token: randomSecret(ctx.random),
    order_id: orderId,
    revoked_at: null,
    created_at: ctx.now,
  }));
  await store.insertDownloads(ctx.db, made);
  return renewed + made.length;
}

/** Ends the links of a cancelled order (spec O16). */
export function revokeDownloads(ctx: Ctx, orderId: number): Promise<void> {
  return store.revoke(ctx.db, orderId, ctx.now);
}

/**
 * Deletes the links to a file that is deleted; without `clear`, refuses if any of them is live. Returns how many live links
 * were deleted.
 */
export async function endDownloadsOfFile(ctx: Ctx, fileId: number, clear: boolean): Promise<number> {
  const live = await store.countOfFile(ctx.db, fileId);
  if (live > 0 && !clear) {
    const detail = `Buyers have ${live} download link${live === 1 ? '' : 's'} to the file; with clear=true the file is deleted and the links end.`;
    throw new Refusal('in_use', detail, { extra: { downloads: live } });
  }
  await store.deleteOfFile(ctx.db, fileId);
  return live;
}

export type Download = { filename: string; contentType: string; content: Content };

/** Opens the file behind a buyer's link. `take` counts the fetch, which stays counted if the transfer breaks off. */
export async function openDownload(at: Store, files: FileStore, token: string, take: boolean): Promise<Download> {
  const now = new Date().toISOString();
  const link = await store.selectLink(at.reader, token);
  if (!link) throw new Refusal('not_found', 'There is no such download.');
  refuseEnded(link, now);
  const content = await files.open(link.storage_key);
  if (!content) throw new Refusal('not_found', 'The file of this download is gone.');
  if (take && !(await at.write((db) => store.useLink(db, token, now)))) {
    await content.close();
    refuseEnded(await store.selectLink(at.reader, token), now);
    throw new Refusal('not_found', 'There is no such download.');
  }
  return { filename: link.original_filename, contentType: link.content_type, content };
}

function refuseEnded(link: Awaited<ReturnType<typeof store.selectLink>>, now: string): void {
  const ended = link && whyEnded(link, now);
  if (ended) throw new Refusal('download_ended', ended.detail, { extra: { reason: ended.reason } });
}

/** Deletes the links of order lines that now have another product. */
export function dropDownloads(ctx: Ctx, orderItemIds: readonly number[]): Promise<void> {
  return store.deleteOfLines(ctx.db, orderItemIds);
}
