import type { Handlers } from '../../http/handlers.ts';
import * as inquiries from './domain.ts';

export const inquiriesRoutes: Handlers = {
  'inquiries.list': (ctx, { query }) => inquiries.listInquiries(ctx, query),
  'inquiries.create': (ctx, { body }) => inquiries.createInquiry(ctx, body),
  'inquiries.get': (ctx, { params }) => inquiries.getInquiry(ctx, params.id),
  'inquiries.update': (ctx, { params, body }) => inquiries.updateInquiry(ctx, params.id, body),
  'inquiries.delete': (ctx, { params }) => inquiries.deleteInquiry(ctx, params.id),
  'inquiries.answer': (ctx, { params, body }) => inquiries.answerInquiry(ctx, params.id, body.body),
};
