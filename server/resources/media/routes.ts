import type { Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as media from './domain.ts';

export const mediaRoutes = ({ files }: Services, clearFromPages: media.ClearFromPages): Handlers => ({
  'media.list': (ctx, { query }) => media.listMedia(ctx, query),
  'media.create': (ctx, { body }) => media.createMedia(ctx, body.alt),
  'media.get': (ctx, { params }) => media.getMedia(ctx, params.id),
  'media.update': (ctx, { params, body }) => media.updateMedia(ctx, params.id, body.alt),
  'media.delete': (ctx, { params }) => media.deleteMedia(ctx, files, clearFromPages, params.id),
});
