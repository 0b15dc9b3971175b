import type { CustomerFile } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { UploadRule } from '../../verbs/route.ts';
import { lockCustomer } from '../customers/domain.ts';
import { dropAllStored, dropStored, keepUpload } from '../storage/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  // A file never changes.
  customer_file: async (db, { id, file_id }) => ((await store.selectFile(db, Number(id), Number(file_id))) ? 1 : null),
} satisfies RecordVersions;

export const customerFileUpload: UploadRule = { counts: true, headBytes: 0 };

export function listFiles(ctx: Ctx, customerId: number): Promise<CustomerFile[]> {
  return store.selectFiles(ctx.db, customerId);
}

/** Stores an uploaded file under the given name, else under the name of the upload (spec CU5). */
export async function createFile(
  ctx: Ctx,
  customerId: number,
  { name, note }: { name?: string | undefined; note?: string | undefined },
): Promise<CustomerFile> {
  const { key, filename, contentType, sizeBytes } = await keepUpload(ctx);
  await lockCustomer(ctx, customerId);
  const file = await store.insertFile(ctx.db, {
    customer_id: customerId,
    storage_key: key,
    name: name || filename,
    size_bytes: sizeBytes,
    content_type: contentType,
    note: note ?? null,
    created_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'customer_file', id: file.id },
    customerId,
    changes: { name: [null, file.name], size_bytes: [null, sizeBytes] },
    summary: `Customer ${customerId}: file ${file.id} "${file.name}" uploaded`,
  });
  return file;
}

/**
 * Deletes the record. Its bytes are deleted after the commit; if that fails, the sweep of orphaned files deletes them
 * (spec CU7).
 */
export async function deleteFile(ctx: Ctx, files: FileStore, customerId: number, id: number): Promise<undefined> {
  await lockCustomer(ctx, customerId);
  const file = await store.deleteFile(ctx.db, customerId, id);
  if (!file) throw notFound('customer file', id);
  await dropStored(ctx, files, file.storage_key);
  ctx.audit({
    resource: { type: 'customer_file', id },
    customerId,
    changes: { name: [file.name, null] },
    summary: `Customer ${customerId}: file ${id} "${file.name}" deleted`,
  });
}

export async function openFile(
  db: Db,
  files: FileStore,
  customerId: number,
  id: number,
): Promise<{ file: CustomerFile; content: Content }> {
  const file = await store.selectFile(db, customerId, id);
  if (!file) throw notFound('customer file', id);
  const content = await files.open(file.storage_key);
  if (!content) throw new Refusal('not_found', `The content of file ${id} is not in the file store.`);
  return { file, content };
}

export async function deleteFiles(ctx: Ctx, files: FileStore, customerId: number): Promise<void> {
  await dropAllStored(ctx, files, await store.deleteFiles(ctx.db, customerId));
}
