import { z } from 'zod';
import { FILE_BLOCK_MAX_BYTES, runFilesEndpoints } from '../contract/run-files.ts';
import { refusalOf } from './admin-call.ts';
import { type Answer, failure, type RunContext } from './run-context.ts';

/** A block of a `file` parameter, from `offset` on, as large as one answer may be. */
export const FileReadPayload = z.object({ name: z.string().min(1).max(64), offset: z.int().min(0) });

const CONTENT_RANGE = /^bytes (?:\*|\d+-\d+)\/(\d+)$/;

/** Reads one block of a file parameter, as base64. The guest asks for one block after the other. */
export async function readFile(run: RunContext, { name, offset }: z.infer<typeof FileReadPayload>): Promise<Answer | null> {
  const to = run.reports.target(runFilesEndpoints['runner.read_file'], { name, query: { offset, length: FILE_BLOCK_MAX_BYTES } });
  const reply = await run.reports.untilAnswered({ to }, run.alive);
  if (reply === null) return null;
  if (reply.status !== 200) return refusalOf(run, { to, what: `files.read("${name}")` }, reply);
  const size = Number(CONTENT_RANGE.exec(reply.contentRange ?? '')?.[1]);
  if (reply.bytes === null || !Number.isSafeInteger(size)) return failure(`files.read("${name}"): the server sent no file`);
  const largest = run.heapMib * 512 * 1024;
  if (size > largest) {
    return failure(`files.read("${name}"): the file has ${size} bytes; with a heap of ${run.heapMib} MiB at most ${largest} can be read`);
  }
  return { value: `{"size":${size},"data":"${reply.bytes.toString('base64')}"}` };
}
