import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Name, Search, Timestamp } from './values.ts';

/** A digital file: products sell it, access groups give access to it, and tasks can be given it as a parameter. */
export const DigitalFile = z
  .object({
    id: Id,
    original_filename: z.string(),
    file_size: z.int(),
    content_type: z.string(),
    storage_key: z.string(),
    created_at: Timestamp,
    uploaded_by: Id.nullable().meta({
      description: 'The admin who uploaded the file, and who may therefore give it to a task; null if unknown',
    }),
  })
  .meta({ id: 'DigitalFile' });
export type DigitalFile = z.infer<typeof DigitalFile>;

export const filesEndpoints = endpointsOf(
  {
    id: 'files.list',
    method: 'GET',
    path: '/files',
    summary: 'List digital files, newest first; `search` looks in their names',
    permission: 'admin_api.files.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(DigitalFile),
  },
  {
    id: 'files.create',
    method: 'POST',
    path: '/files',
    undo: { deletes: 'files.delete' },
    summary: 'Upload a digital file',
    permission: 'admin_api.files.write',
    multipart: true,
    status: 201,
    response: DigitalFile,
    location: '/files/{id}',
    refusals: ['file_required', 'malformed_form', 'storage_cap_exceeded'],
  },
  {
    id: 'files.get',
    method: 'GET',
    path: '/files/{id}',
    summary: 'Get a digital file',
    permission: 'admin_api.files.read',
    record: 'file',
    response: DigitalFile,
  },
  {
    id: 'files.get_content',
    method: 'GET',
    path: '/files/{id}/content',
    summary: 'Download the content of a digital file',
    permission: 'admin_api.files.read',
    taskPermission: null,
    record: 'file',
    binary: true,
  },
  {
    id: 'files.update',
    method: 'PATCH',
    path: '/files/{id}',
    undo: 'restore',
    summary: 'Rename a digital file',
    permission: 'admin_api.files.write',
    record: 'file',
    body: z.object({ original_filename: Name.optional() }),
    response: DigitalFile,
    refusals: ['blank', 'too_long', 'precondition_failed'],
  },
  {
    id: 'files.delete',
    method: 'DELETE',
    path: '/files/{id}',
    undo: { irreversible: 'The content of the file was deleted with it. Upload the file again.' },
    summary: 'Delete a digital file that nothing uses; with `clear`, the download links of its buyers are deleted too',
    permission: 'admin_api.files.write',
    record: 'file',
    query: z.object({ clear: z.boolean().default(false) }),
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);
