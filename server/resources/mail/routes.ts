import type { Handlers } from '../../http/handlers.ts';
import * as mails from './domain.ts';

export const mailRoutes: Handlers = {
  'mails.list': (ctx, { query }) => mails.listMails(ctx, query),
  'mails.retry': (ctx, { params }) => mails.retryMail(ctx, params.id),
};
