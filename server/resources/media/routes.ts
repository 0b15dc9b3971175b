import { isSearch, type Routes, read, upload, write } from '../../verbs/route.ts';
import * as media from './domain.ts';

export const mediaRoutes = (clearFromPages: media.ClearFromPages) =>
  ({
    'media.list': read((ctx, { query }) => media.listMedia(ctx, query), { isHeavy: isSearch }),
    'media.create': upload(media.mediaUpload, (ctx, { body }) => media.createMedia(ctx, body.alt)),
    'media.get': read((ctx, { params }) => media.getMedia(ctx, params.id)),
    'media.update': write((ctx, { params, body }) => media.updateMedia(ctx, params.id, body.alt)),
    'media.delete': write((ctx, { params }) => media.deleteMedia(ctx, ctx.services.files, clearFromPages, params.id)),
  }) satisfies Partial<Routes>;
