import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Search, Timestamp, text } from './values.ts';

/** Image types that a browser displays and that cannot contain scripts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof imageTypes)[number];

export const Media = z
  .object({
    id: Id,
    filename: z.string(),
    content_type: z.enum(imageTypes),
    size_bytes: z.int(),
    width: z.int(),
    height: z.int(),
    alt: z.string(),
    url: z.string().meta({ description: 'Path of the image on this server; it can be fetched without a token' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Media' });
export type Media = z.infer<typeof Media>;

const Alt = text({ max: 1000, trim: true });

export const mediaEndpoints = endpointsOf(
  {
    id: 'media.list',
    method: 'GET',
    path: '/media',
    summary: 'List images, newest first; `search` looks in file name and alternative text',
    permission: 'admin_api.media.read',
    query: cursorQuery({ search: Search.optional() }),
    response: cursorPageOf(Media),
  },
  {
    id: 'media.create',
    method: 'POST',
    path: '/media',
    undo: { deletes: 'media.delete' },
    summary: 'Upload an image: PNG, JPEG, GIF, WebP or AVIF',
    permission: 'admin_api.media.write',
    multipart: true,
    body: z.object({ alt: Alt.default('') }),
    status: 201,
    response: Media,
    location: '/media/{id}',
    refusals: ['file_required', 'not_an_image', 'too_long', 'malformed_form', 'storage_cap_exceeded'],
  },
  {
    id: 'media.get',
    method: 'GET',
    path: '/media/{id}',
    summary: 'Get an image',
    permission: 'admin_api.media.read',
    record: 'media',
    response: Media,
  },
  {
    id: 'media.update',
    method: 'PATCH',
    path: '/media/{id}',
    undo: 'restore',
    summary: 'Change the alternative text of an image',
    permission: 'admin_api.media.write',
    record: 'media',
    body: z.object({ alt: Alt.optional() }),
    response: Media,
    refusals: ['too_long', 'precondition_failed'],
  },
  {
    id: 'media.delete',
    method: 'DELETE',
    path: '/media/{id}',
    undo: { irreversible: 'The content of the file was deleted with it. Upload the file again.' },
    summary: 'Delete an image that no product shows; pages that use it then have no image',
    permission: 'admin_api.media.write',
    record: 'media',
    status: 204,
    refusals: ['in_use', 'precondition_failed'],
  },
);
