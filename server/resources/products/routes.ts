import type { Handlers } from '../../http/handlers.ts';
import * as products from './domain.ts';

export const productsRoutes: Handlers = {
  'products.list': (ctx, { query }) => products.listProducts(ctx, query),
  'products.get': (ctx, { params }) => products.getProduct(ctx, params.id),
  'products.list_variants': (ctx, { params }) => products.listVariants(ctx, params.id),
  'products.get_variant': (ctx, { params }) => products.getVariant(ctx, params.id),
  'products.change_stock': (ctx, { params, body }) => products.changeStock(ctx, params.id, body),
  'products.list_stock_movements': (ctx, { params, query }) => products.listStockMovements(ctx, params.id, query),
};
