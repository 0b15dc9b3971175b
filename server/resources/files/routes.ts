import { attachment } from '../../verbs/file-answer.ts';
import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { content, isSearch, type Routes, read, upload, write } from '../../verbs/route.ts';
import * as files from './domain.ts';
import { digitalFiles } from './store.ts';

export const filesRoutes = {
  'files.list': read((ctx, { query }) => listRecords(ctx, digitalFiles, query), { isHeavy: isSearch }),
  'files.create': upload(files.filesUpload, (ctx) => files.createFile(ctx)),
  'files.get': read((ctx, { params }) => getRecord(ctx, digitalFiles, params.id)),
  'files.update': write((ctx, { params, body }) => files.updateFile(ctx, params.id, body.original_filename)),
  'files.delete': write((ctx, { params, query }) => files.deleteFile(ctx, ctx.services.files, params.id, query.clear)),
  'files.get_content': content(async ({ services, params }) => {
    const { file, content: opened } = await files.openFile(services.store.reader, services.files, params.id);
    return attachment(opened, file.original_filename, file.content_type);
  }),
} satisfies Partial<Routes>;
