import type { Handlers } from '../../http/handlers.ts';
import * as discountGroups from './domain.ts';

export const discountGroupsRoutes: Handlers = {
  'discount_groups.list': (ctx, { query }) => discountGroups.listDiscountGroups(ctx, query),
  'discount_groups.create': (ctx, { body }) => discountGroups.createDiscountGroup(ctx, body),
  'discount_groups.get': (ctx, { params }) => discountGroups.getDiscountGroup(ctx, params.id),
  'discount_groups.update': (ctx, { params, body }) => discountGroups.updateDiscountGroup(ctx, params.id, body),
  'discount_groups.delete': (ctx, { params }) => discountGroups.deleteDiscountGroup(ctx, params.id),
};
