import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';

/** Largest part of a file in one answer: as base64 it fits a script's 4 MiB (automation.md §8). */
export const FILE_BLOCK_MAX_BYTES = 2 * 1024 * 1024;

export const runFilesEndpoints = endpointsOf(
  /** `files.read` (automation.md §7): the file that a parameter of the run names, part by part. */
  {
    id: 'runner.read_file',
    method: 'GET',
    path: '/runner/runs/{run_id}/files/{name}',
    summary: 'A part of the file that this parameter of the run names; Content-Range tells its place and the size of the whole',
    permission: 'admin_api.files.read',
    taskPermission: 'file_upload',
    ownRun: true,
    query: z.object({
      offset: z.int().min(0).default(0),
      length: z.int().min(1).max(FILE_BLOCK_MAX_BYTES).default(FILE_BLOCK_MAX_BYTES),
    }),
    status: 200,
    binary: true,
    contentType: 'application/octet-stream',
    partial: true,
    added: true,
  },
);
