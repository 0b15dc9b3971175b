import { filePart } from '../../http/file-answer.ts';
import type { Contents } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import { openRunFile } from './domain.ts';

export const runFilesContents = ({ store, files }: Services): Contents => ({
  'runner.read_file': async (call) => filePart(await openRunFile(store.reader, files, call)),
});
