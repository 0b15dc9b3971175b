import type { DigitalFile } from '../../../contract/files.ts';
import type { Db } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal, refuseMissing } from '../../verbs/problem.ts';
import { getRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { UploadRule } from '../../verbs/route.ts';
import { endDownloadsOfFile } from '../downloads/domain.ts';
import { dropStored, keepUpload } from '../storage/domain.ts';
import { digitalFiles, selectGroupOf, selectUser } from './store.ts';

export const recordVersions = {
  file: digitalFiles.version,
} satisfies RecordVersions;

export const filesUpload: UploadRule = { counts: true, headBytes: 0 };

export async function createFile(ctx: Ctx): Promise<DigitalFile> {
  const { key, filename, contentType, sizeBytes } = await keepUpload(ctx);
  const file = await digitalFiles.insert(ctx.db, {
    original_filename: filename,
    file_size: sizeBytes,
    content_type: contentType,
    storage_key: key,
    created_at: ctx.now,
    uploaded_by: ctx.actor.type === 'admin' ? ctx.actor.adminId : null,
  });
  ctx.audit({
    resource: { type: 'file', id: file.id },
    changes: { original_filename: [null, filename], file_size: [null, sizeBytes] },
    summary: `File ${file.id} "${filename}" uploaded`,
  });
  ctx.emit({ type: 'file.uploaded', data: { file_id: file.id, original_filename: filename, file_size: sizeBytes } });
  return file;
}

export async function updateFile(ctx: Ctx, id: number, name: string | undefined): Promise<DigitalFile> {
  const file = await lockRecord(ctx, digitalFiles, id);
  const after = { ...file, original_filename: name ?? file.original_filename };
  const changed = after.original_filename !== file.original_filename;
  if (changed) await digitalFiles.update(ctx.db, file, after);
  ctx.audit({
    resource: { type: 'file', id },
    changes: changed ? { original_filename: [file.original_filename, after.original_filename] } : {},
    summary: `File ${id} "${file.original_filename}" ${changed ? `renamed to "${after.original_filename}"` : 'unchanged'}`,
  });
  return after;
}

/** Deletes a file that nothing uses. With `clear`, also one that buyers have links to; the links end. */
export async function deleteFile(ctx: Ctx, files: FileStore, id: number, clear: boolean): Promise<undefined> {
  const file = await lockRecord(ctx, digitalFiles, id);
  const product = await selectUser(ctx.db, id);
  if (product)
    throw new Refusal('in_use', `The file is sold with product ${product.id} "${product.name}"; remove it from the product first.`);
  const group = await selectGroupOf(ctx.db, id);
  if (group) throw new Refusal('in_use', `The file is in access group ${group.id} "${group.name}"; remove it from the group first.`);
  const ended = await endDownloadsOfFile(ctx, id, clear);
  await digitalFiles.remove(ctx.db, id);
  await dropStored(ctx, files, file.storage_key);
  ctx.audit({
    resource: { type: 'file', id },
    changes: { original_filename: [file.original_filename, null], ...(ended > 0 ? { downloads: [ended, 0] } : {}) },
    summary: `File ${id} "${file.original_filename}" deleted`,
  });
}

/** Those of these files that exist, with the admin who uploaded each. They are locked, so that they stay until the transaction ends. */
export async function holdKnownFiles(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number | null>> {
  return new Map((await digitalFiles.holdAll(ctx, ids)).map(({ id, uploaded_by }) => [id, uploaded_by]));
}

/**
 * Refuses ids of files that do not exist, and locks the others, so that they stay until the transaction ends. `pointer` is
 * the place of the list in the body.
 */
export async function holdFiles(ctx: Ctx, ids: readonly number[], pointer: string): Promise<void> {
  const held = await holdKnownFiles(ctx, ids);
  refuseMissing(ids, held, { code: 'file_not_found', what: 'file', pointerTo: (index) => `${pointer}/${index}` });
}

/** Returns null if there is no such file. */
export function findFile(db: Db, id: number): Promise<DigitalFile | null> {
  return digitalFiles.find(db, id);
}

export async function openFile(db: Db, files: FileStore, id: number): Promise<{ file: DigitalFile; content: Content }> {
  const file = await getRecord({ db }, digitalFiles, id);
  const content = await files.open(file.storage_key);
  if (!content) throw new Refusal('not_found', `The content of file ${id} is not in the file store.`);
  return { file, content };
}
