import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { At, Db, Store } from '../../db/open.ts';
import type { FileStore } from '../../providers/files/file-store.ts';
import type { Settings } from '../../values/settings.ts';
import type { Ctx, Upload } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { UploadRule } from '../../verbs/route.ts';
import { notify } from '../notifications/domain.ts';
import { crossesNearlyFull, excessOf } from './rules.ts';
import * as store from './store.ts';

/** The prefix of all keys of this shop's files; it is chosen at the first start. */
export function keyPrefix(at: Store): Promise<string> {
  return at.write((db) => store.choosePrefix(db, randomBytes(4).toString('hex')));
}

/** What this server knows of the used space: the stored files, and the uploads that are coming in. */
export type Incoming = { usedBytes: number; uploads: Map<symbol, number> };

/** The space that one upload takes while it comes in. */
export type Growth = {
  /** Takes `sizeBytes` in total; throws if that is not available beside the other uploads. */
  grow(sizeBytes: number): void;
  /** Called when the upload is kept or discarded. */
  end(isKept: boolean): void;
};

/** Keeps concurrent uploads from filling the disk beyond the cap. The transaction that stores a file checks the cap again. */
export async function openGrowth(db: Db, settings: Settings, { counts }: UploadRule, incoming: Incoming): Promise<Growth> {
  incoming.usedBytes = await store.selectUse(db);
  const own = Symbol('upload');
  return {
    grow(sizeBytes) {
      const size = Math.max(sizeBytes, incoming.uploads.get(own) ?? 0);
      const others = incoming.uploads.entries().reduce((sum, [upload, bytes]) => (upload === own ? sum : sum + bytes), 0);
      refuseExcess(size, incoming.usedBytes + others, counts, settings);
      if (counts) incoming.uploads.set(own, size);
    },
    end(isKept) {
      if (isKept) incoming.usedBytes += incoming.uploads.get(own) ?? 0;
      incoming.uploads.delete(own);
    },
  };
}

function refuseExcess(sizeBytes: number, used: number, counts: boolean, settings: Settings): void {
  const excess = excessOf(sizeBytes, used, counts, settings);
  if (excess === null) return;
  const detail =
    excess.scope === 'per_file'
      ? `A file may have at most ${excess.limit_bytes} bytes (the setting file_max_bytes).`
      : `All files together may have at most ${excess.limit_bytes} bytes (the setting storage_total_bytes); ${excess.used_bytes} are used.`;
  throw new Refusal('storage_cap_exceeded', detail, { extra: { ...excess } });
}

/** Stores the request's file and takes its space. The bytes stay if the transaction commits. */
export async function keepUpload(ctx: Ctx): Promise<Upload> {
  const { upload } = ctx.prepared;
  if (!upload) throw fileRequired();
  const { key, sizeBytes, counts } = upload;
  await takeSpace(ctx, upload);
  await store.insertObject(ctx.db, { key, size_bytes: sizeBytes, counts: counts ? 1 : 0, created_at: ctx.now });
  return upload;
}

export function fileRequired(): Refusal {
  const detail = 'Send a multipart form with a part named "file" that has a filename.';
  return new Refusal('file_required', detail, { errors: [{ pointer: '/file', parameter: null, code: 'file_required', detail }] });
}

async function takeSpace(ctx: Ctx, { sizeBytes, counts }: Upload): Promise<void> {
  const after = counts ? await store.addUse(ctx.db, sizeBytes) : sizeBytes;
  refuseExcess(sizeBytes, after - sizeBytes, counts, ctx.settings);
  if (!counts || !crossesNearlyFull(after - sizeBytes, after, ctx.settings.storage_total_bytes)) return;
  const limit = ctx.settings.storage_total_bytes;
  const message = `${after} of ${limit} bytes are used by files.`;
  await notify(ctx, [
    { type: 'storage_nearly_full', title: 'Storage nearly full', message, metadata: { used_bytes: after, limit_bytes: limit } },
  ]);
}

/** Frees the space of a file. Its bytes are deleted after the commit (spec CU7). The caller has deleted the row that named them. */
export function dropStored(ctx: Ctx, files: FileStore, key: string): Promise<void> {
  return dropAllStored(ctx, files, [key]);
}

export async function dropAllStored(ctx: Ctx, files: FileStore, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await forgetStored(ctx, keys);
  ctx.after(() => {
    for (const key of keys)
      files
        .remove(key)
        .catch((err: unknown) =>
          ctx.log.warn({ err, key }, 'the bytes of a deleted file could not be removed; the sweep of orphaned files removes them'),
        );
  });
}

/** Like `dropAllStored`, but the sweep of orphaned files deletes the bytes. */
export async function forgetStored(at: At, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const freed = await store.deleteObjects(at, keys);
  if (freed > 0) await store.addUse(at.db, -freed);
}

const ORPHAN_AFTER_MS = 3_600_000;

/** Deletes bytes that no row names: uploads whose server died, and deletions that failed. */
export async function sweepOrphans({ reader }: Store, files: FileStore, log: Logger, nowMs: number = Date.now()): Promise<void> {
  await files.removeDraftsBefore(nowMs - ORPHAN_AFTER_MS);
  for await (const keys of files.keysBefore(nowMs - ORPHAN_AFTER_MS)) {
    const known = await store.selectKnown(reader, keys);
    const orphans = keys.filter((key) => !known.has(key));
    for (const key of orphans) await files.remove(key);
    if (orphans.length > 0) log.info({ count: orphans.length }, 'orphaned files removed');
  }
}
