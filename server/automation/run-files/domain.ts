import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Db } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import { findFile } from '../../resources/files/domain.ts';
import { notFound, Refusal, refuseParameter } from '../../verbs/problem.ts';
import { fileParameters } from '../parameters/rules.ts';
import * as store from './store.ts';

type Input = Pick<InputOf<Endpoints['runner.read_file']>, 'params' | 'query'>;
/** `content` is null for an empty part. */
export type FilePart = { offset: number; totalBytes: number; content: Content | null };

/** Opens a part of a file that a parameter of the run names; a run can read no other file. The content behind a file id never changes. */
export async function openRunFile(db: Db, files: FileStore, { params, query }: Input): Promise<FilePart> {
  const run = await store.selectParameters(db, params.run_id);
  if (!run) throw notFound('run', params.run_id);
  const named = fileParameters(run.declarations, run.parameters).find(({ name }) => name === params.name);
  if (!named) throw new Refusal('not_found', `The run has no file parameter "${params.name.slice(0, 100)}".`);
  const file = await findFile(db, named.id);
  if (!file) throw new Refusal('not_found', `File ${named.id}, which the parameter "${named.name}" names, no longer exists.`);
  const { offset } = query;
  const totalBytes = file.file_size;
  if (offset > totalBytes) throw refuseParameter('out_of_range', 'offset', `the file has ${totalBytes} bytes`);
  const length = Math.min(query.length, totalBytes - offset);
  if (length === 0) return { offset, totalBytes, content: null };
  const content = await files.open(file.storage_key, { start: offset, length });
  if (content?.sizeBytes === length) return { offset, totalBytes, content };
  await content?.close();
  throw new Refusal('not_found', `The content of file ${named.id} is not in the file store.`);
}
