import { filePart } from '../../verbs/file-answer.ts';
import { content, type Routes } from '../../verbs/route.ts';
import { openRunFile } from './domain.ts';

export const runFilesRoutes = {
  'runner.read_file': content(async ({ services, ...call }) => filePart(await openRunFile(services.store.reader, services.files, call))),
} satisfies Partial<Routes>;
