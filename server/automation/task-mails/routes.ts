import { type Routes, write } from '../../verbs/route.ts';
import { sendMails } from './domain.ts';

export const taskMailRoutes = {
  'mails.send': write((ctx, { body }) => sendMails(ctx, body)),
} satisfies Partial<Routes>;
