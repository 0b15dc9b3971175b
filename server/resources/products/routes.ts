import type { Handlers } from '../../http/handlers.ts';
import * as products from './domain.ts';
import { createProduct, deleteProduct, updateProduct } from './edit.ts';
import { createVariant, deleteVariant, updateVariant } from './variants.ts';

export const productsRoutes: Handlers = {
  'products.list': (ctx, { query }) => products.listProducts(ctx, query),
  'products.create': (ctx, { body }) => createProduct(ctx, body),
  'products.get': (ctx, { params }) => products.getProduct(ctx, params.id),
  'products.update': (ctx, { params, body }) => updateProduct(ctx, params.id, body),
  'products.delete': (ctx, { params }) => deleteProduct(ctx, params.id),
  'products.create_variant': (ctx, { params, body }) => createVariant(ctx, params.id, body),
  'products.list_variants': (ctx, { params }) => products.listVariants(ctx, params.id),
  'products.get_variant': (ctx, { params }) => products.getVariant(ctx, params.id),
  'products.update_variant': (ctx, { params, body }) => updateVariant(ctx, params.id, body),
  'products.delete_variant': (ctx, { params }) => deleteVariant(ctx, params.id),
  'products.change_stock': (ctx, { params, body }) => products.changeStock(ctx, params.id, body),
  'products.list_stock_movements': (ctx, { params, query }) => products.listStockMovements(ctx, params.id, query),
};
