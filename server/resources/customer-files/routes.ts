import { attachment } from '../../http/file-answer.ts';
import type { Contents, Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as customerFiles from './domain.ts';

export const customerFilesRoutes = ({ files }: Services): Handlers => ({
  'customers.list_files': (ctx, { params }) => customerFiles.listFiles(ctx, params.id),
  'customers.upload_file': (ctx, { params, body }) => customerFiles.createFile(ctx, params.id, body),
  'customers.delete_file': (ctx, { params }) => customerFiles.deleteFile(ctx, files, params.id, params.file_id),
});

export const customerFilesContents = ({ store, files }: Services): Contents => ({
  'customers.get_file_content': async ({ params }) => {
    const { file, content } = await customerFiles.openFile(store.reader, files, params.id, params.file_id);
    return attachment(content, file.name, file.content_type);
  },
});
