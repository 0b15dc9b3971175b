import { attachment } from '../../verbs/file-answer.ts';
import { content, type Routes, read, upload, write } from '../../verbs/route.ts';
import * as customerFiles from './domain.ts';

export const customerFilesRoutes = {
  'customers.list_files': read((ctx, { params }) => customerFiles.listFiles(ctx, params.id)),
  'customers.upload_file': upload(customerFiles.customerFileUpload, (ctx, { params, body }) =>
    customerFiles.createFile(ctx, params.id, body),
  ),
  'customers.delete_file': write((ctx, { params }) => customerFiles.deleteFile(ctx, ctx.services.files, params.id, params.file_id)),
  'customers.get_file_content': content(async ({ services, params }) => {
    const { file, content: opened } = await customerFiles.openFile(services.store.reader, services.files, params.id, params.file_id);
    return attachment(opened, file.name, file.content_type);
  }),
} satisfies Partial<Routes>;
