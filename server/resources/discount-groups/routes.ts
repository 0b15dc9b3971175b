import { type Routes, read, write } from '../../verbs/route.ts';
import * as discountGroups from './domain.ts';

export const discountGroupsRoutes = {
  'discount_groups.list': read((ctx, { query }) => discountGroups.listDiscountGroups(ctx, query)),
  'discount_groups.create': write((ctx, { body }) => discountGroups.createDiscountGroup(ctx, body)),
  'discount_groups.get': read((ctx, { params }) => discountGroups.getDiscountGroup(ctx, params.id)),
  'discount_groups.update': write((ctx, { params, body }) => discountGroups.updateDiscountGroup(ctx, params.id, body)),
  'discount_groups.delete': write((ctx, { params }) => discountGroups.deleteDiscountGroup(ctx, params.id)),
} satisfies Partial<Routes>;
