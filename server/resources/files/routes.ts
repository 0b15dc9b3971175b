import { attachment } from '../../http/file-answer.ts';
import type { Contents, Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as filesDomain from './domain.ts';

export const filesRoutes = ({ files }: Services): Handlers => ({
  'files.list': (ctx, { query }) => filesDomain.listFiles(ctx, query),
  'files.create': (ctx) => filesDomain.createFile(ctx),
  'files.get': (ctx, { params }) => filesDomain.getFile(ctx.db, params.id),
  'files.update': (ctx, { params, body }) => filesDomain.updateFile(ctx, params.id, body.original_filename),
  'files.delete': (ctx, { params, query }) => filesDomain.deleteFile(ctx, files, params.id, query.clear),
});

export const filesContents = ({ store, files }: Services): Contents => ({
  'files.get_content': async ({ params }) => {
    const { file, content } = await filesDomain.openFile(store.reader, files, params.id);
    return attachment(content, file.original_filename, file.content_type);
  },
});
