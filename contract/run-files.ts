import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';

/** Largest part of a file in one response: as base64 it fits into the 4 MiB that a script may be given (spec LI1). */
export const FILE_BLOCK_MAX_BYTES = 2 * 1024 * 1024;

export const runFilesEndpoints = endpointsOf(
  /** For `files.read` (spec SF8): a part of the file that a parameter of the run names. */
  {
    id: 'runner.read_file',
    method: 'GET',
    path: '/runner/runs/{run_id}/files/{name}',
    summary: 'Get a part of the file that a parameter of the run names; Content-Range gives its range and the size of the whole file',
    permission: 'admin_api.files.read',
    taskPermission: 'file_upload',
    ownRun: true,
    query: z.object({
      offset: z.int().min(0).default(0),
      length: z.int().min(1).max(FILE_BLOCK_MAX_BYTES).default(FILE_BLOCK_MAX_BYTES),
    }),
    binary: true,
    contentType: 'application/octet-stream',
    partial: true,
  },
);
