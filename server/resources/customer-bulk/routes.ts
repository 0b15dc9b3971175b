import { type Routes, read, write } from '../../verbs/route.ts';
import * as bulk from './domain.ts';

export const customerBulkRoutes = {
  'customers.preview_bulk': read((ctx, { body }) => bulk.previewBulk(ctx, body)),
  'customers.bulk_discount_group': write((ctx, { body }) => bulk.setDiscountGroups(ctx, body)),
  'customers.bulk_credits': write((ctx, { body }) => bulk.adjustAllCredits(ctx, body)),
} satisfies Partial<Routes>;
