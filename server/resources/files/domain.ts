import type { InputOf } from '../../../contract/endpoint.ts';
import type { DigitalFile, filesList } from '../../../contract/files.ts';
import { fold } from '../../../contract/values.ts';
import type { Ctx } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import { rowVersion } from '../../db/row-version.ts';
import { BY_CREATION, listPage } from '../../pages.ts';
import { notFound, Refusal, refuseMissing } from '../../problem.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { endDownloadsOfFile } from '../downloads/domain.ts';
import { dropStored, keepUpload, type UploadRule } from '../storage/domain.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  file: rowVersion('files'),
};

export const filesUpload: UploadRule = { counts: true, headBytes: 0 };

export async function listFiles(ctx: Ctx, query: InputOf<typeof filesList>['query']) {
  const searchFolded = fold(query.search ?? '');
  return listPage(
    query,
    BY_CREATION,
    {
      keys: (reading) => store.selectFileKeys(ctx, searchFolded, reading),
      count: () => store.countFiles(ctx, searchFolded),
      rows: (ids) => store.selectFiles(ctx.db, ids),
    },
    { descending: true },
  );
}

export async function getFile(db: Db, id: number): Promise<DigitalFile> {
  const [file] = await store.selectFiles(db, [id]);
  if (!file) throw notFound('file', id);
  return file;
}

export async function createFile(ctx: Ctx): Promise<DigitalFile> {
  const { key, filename, contentType, sizeBytes } = await keepUpload(ctx);
  const file = await store.insertFile(ctx.db, {
    original_filename: filename,
    original_filename_folded: fold(filename),
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
  const file = await store.lockFile(ctx, id);
  if (!file) throw notFound('file', id);
  const changed = name !== undefined && name !== file.original_filename;
  if (changed) await store.renameFile(ctx.db, id, { original_filename: name, original_filename_folded: fold(name) });
  ctx.audit({
    resource: { type: 'file', id },
    changes: changed ? { original_filename: [file.original_filename, name] } : {},
    summary: `File ${id} "${file.original_filename}" ${changed ? `renamed to "${name}"` : 'unchanged'}`,
  });
  return { ...file, original_filename: name ?? file.original_filename };
}

/** `clear`: also where buyers may still fetch it; their links end. */
export async function deleteFile(ctx: Ctx, files: FileStore, id: number, clear: boolean): Promise<undefined> {
  const file = await store.lockFile(ctx, id);
  if (!file) throw notFound('file', id);
  const product = await store.selectUser(ctx.db, id);
  if (product) throw new Refusal('in_use', `The file is sold with product ${product.id} "${product.name}".`);
  const group = await store.selectGroupOf(ctx.db, id);
  if (group) throw new Refusal('in_use', `The file is in access group ${group.id} "${group.name}".`);
  const ended = await endDownloadsOfFile(ctx, id, clear);
  await store.deleteFile(ctx.db, id);
  await dropStored(ctx, files, file.storage_key);
  ctx.audit({
    resource: { type: 'file', id },
    changes: { original_filename: [file.original_filename, null], ...(ended > 0 ? { downloads: [ended, 0] } : {}) },
    summary: `File ${id} "${file.original_filename}" deleted`,
  });
}

/** Those of them that there are, each with who uploaded it; they stay until the transaction ends. */
export function holdKnownFiles(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number | null>> {
  return store.holdFiles(ctx, ids);
}

/** Whether a record may name them all; they stay until the transaction ends. `pointer`: where the list is in the body. */
export async function holdFiles(ctx: Ctx, ids: readonly number[], pointer: string): Promise<void> {
  const held = await store.holdFiles(ctx, ids);
  refuseMissing(ids, held, { code: 'file_not_found', what: 'file', pointerTo: (index) => `${pointer}/${index}` });
}

/** Undefined where there is no such file. */
export async function findFile(db: Db, id: number): Promise<DigitalFile | undefined> {
  return (await store.selectFiles(db, [id]))[0];
}

export async function openFile(db: Db, files: FileStore, id: number): Promise<{ file: DigitalFile; content: Content }> {
  const file = await getFile(db, id);
  const content = await files.open(file.storage_key);
  if (!content) throw new Refusal('not_found', `The content of file ${id} is not in the file store.`);
  return { file, content };
}
