import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, Timestamp } from './values.ts';

/** A file that a run wrote for people to download (spec SF9). */
export const Artifact = z
  .object({
    id: Id,
    name: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    sha256: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'Artifact' });
export type Artifact = z.infer<typeof Artifact>;

export const artifactsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_artifacts',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/artifacts',
    summary: 'List the files that the run, and the runs that it was resumed from, wrote; oldest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: z.array(Artifact),
  },
  {
    id: 'ai_tasks.get_artifact_content',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/artifacts/{artifact_id}/content',
    summary: 'Download the content of a file that the run wrote',
    permission: 'admin_api.ai_tasks.read',
    record: 'artifact',
    binary: true,
  },
  {
    id: 'runner.write_artifact',
    method: 'POST',
    path: '/runner/runs/{run_id}/artifacts',
    summary: 'Store a file that the run wrote; a repeat with the same name and content gets the stored file',
    permission: 'admin_api.runner.write',
    taskPermission: 'file_download',
    ownRun: true,
    multipart: true,
    status: 201,
    response: Artifact,
    audited: false,
    refusals: ['file_required', 'malformed_form', 'storage_cap_exceeded', 'run_fenced'],
  },
);
