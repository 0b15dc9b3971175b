import { isSearch, type Routes, read, write } from '../../verbs/route.ts';
import * as inquiries from './domain.ts';

export const inquiriesRoutes = {
  'inquiries.list': read((ctx, { query }) => inquiries.listInquiries(ctx, query), { isHeavy: isSearch }),
  'inquiries.create': write((ctx, { body }) => inquiries.createInquiry(ctx, body)),
  'inquiries.get': read((ctx, { params }) => inquiries.getInquiry(ctx, params.id)),
  'inquiries.update': write((ctx, { params, body }) => inquiries.updateInquiry(ctx, params.id, body)),
  'inquiries.delete': write((ctx, { params }) => inquiries.deleteInquiry(ctx, params.id)),
  'inquiries.answer': write((ctx, { params, body }) => inquiries.answerInquiry(ctx, params.id, body.body)),
} satisfies Partial<Routes>;
