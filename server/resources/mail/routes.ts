import { type Routes, read, write } from '../../verbs/route.ts';
import * as mails from './domain.ts';

export const mailRoutes = {
  'mails.list': read((ctx, { query }) => mails.listMails(ctx, query)),
  'mails.retry': write((ctx, { params }) => mails.retryMail(ctx, params.id)),
} satisfies Partial<Routes>;
