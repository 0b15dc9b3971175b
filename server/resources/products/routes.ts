import { isSearch, type Routes, read, write } from '../../verbs/route.ts';
import { imagesOfProducts } from '../media/domain.ts';
import * as bulk from './bulk.ts';
import * as products from './domain.ts';
import { createProduct, deleteProduct, updateProduct } from './edit.ts';
import { listProductIds, listProducts, searchVariants } from './search.ts';
import { createVariant, deleteVariant, updateVariant } from './variants.ts';

export const productsRoutes = {
  'products.list': read((ctx, { query }) => listProducts(ctx, query), {
    isHeavy: (query) => isSearch(query) || query.low_stock || query.out_of_stock,
  }),
  'products.list_ids': read((ctx, { query }) => listProductIds(ctx, query), { isHeavy: () => true }),
  'products.list_images': read((ctx, { query }) => imagesOfProducts(ctx, query.ids)),
  'products.create': write((ctx, { body }) => createProduct(ctx, body)),
  'products.get': read((ctx, { params }) => products.getProduct(ctx, params.id)),
  'products.update': write((ctx, { params, body }) => updateProduct(ctx, params.id, body)),
  'products.delete': write((ctx, { params }) => deleteProduct(ctx, params.id)),
  'products.create_variant': write((ctx, { params, body }) => createVariant(ctx, params.id, body)),
  'products.list_variants': read((ctx, { params }) => products.listVariants(ctx, params.id)),
  'products.search_variants': read((ctx, { query }) => searchVariants(ctx, query), { isHeavy: isSearch }),
  'products.get_variant': read((ctx, { params }) => products.getVariant(ctx, params.id)),
  'products.update_variant': write((ctx, { params, body }) => updateVariant(ctx, params.id, body)),
  'products.delete_variant': write((ctx, { params }) => deleteVariant(ctx, params.id)),
  'products.change_stock': write((ctx, { params, body }) => products.changeStock(ctx, params.id, body)),
  'products.list_stock_movements': read((ctx, { params, query }) => products.listStockMovements(ctx, params.id, query)),
  'products.preview_bulk': read((ctx, { body }) => bulk.previewBulk(ctx, body)),
  'products.bulk_status': write((ctx, { body }) => bulk.setStatuses(ctx, body)),
  'products.bulk_delete': write((ctx, { body }) => bulk.deleteProducts(ctx, body)),
  'products.bulk_prices': write((ctx, { body }) => bulk.setPrices(ctx, body)),
  'products.bulk_stock': write((ctx, { body }) => bulk.changeStocks(ctx, body)),
} satisfies Partial<Routes>;
