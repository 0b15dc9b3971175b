import type { ExamplesOf } from './example.ts';

export const products: ExamplesOf<'products'> = {
  'products.list': { query: { status: 'active', sort: 'name', per_page: 2 } },
  'products.create': {
    body: { slug: 'enamel-kettle', name: 'Enamel kettle', description: 'Pours slowly and evenly.', status: 'active', tax_rate_id: 1 },
  },
  'products.create_variant': ({ got }) => ({
    params: { id: got('products.create').id },
    body: { sku: 'KQ-EK-09', label: '0.9 l', price_cents: 6900, weight_grams: 780, stock: 24 },
  }),
  'products.get': ({ got }) => ({ params: { id: got('products.create').id } }),
  'products.update': ({ got }) => ({ params: { id: got('products.create').id }, body: { low_stock_threshold: 6 } }),
  'products.list_variants': ({ got }) => ({ params: { id: got('products.create').id } }),
  'products.get_variant': ({ got }) => ({ params: { id: got('products.create_variant').id } }),
  'products.update_variant': ({ got }) => ({
    params: { id: got('products.create_variant').id },
    body: { price_cents: 6490, compare_at_price_cents: 6900 },
  }),
  'products.change_stock': ({ got }) => ({
    params: { id: got('products.create_variant').id },
    body: { delta: 12, reason: 'Delivery of the potter' },
  }),
  'products.list_stock_movements': ({ got }) => ({ params: { id: got('products.create_variant').id } }),
  'products.search_variants': { query: { search: 'assam', limit: 2 } },
  'products.list_ids': { query: { status: 'draft' } },
  'products.list_images': async ({ api, got }) => {
    const { id } = got('products.create');
    await api.products.update(id, { media_ids: [got('media.create').id] });
    return { query: { ids: String(id) } };
  },
  'products.list_access_groups': ({ got }) => ({ params: { id: got('products.create').id } }),
  'products.replace_access_groups': ({ got }) => ({
    params: { id: got('products.create').id },
    body: { assignments: [{ group_id: got('access_groups.create').id, duration_days: 365 }] },
  }),
  'products.preview_bulk': { body: { ids: [9, 10], change: { kind: 'price_percent', percent_bps: 500, round_to_cents: 10 } } },
  'products.bulk_prices': {
    body: {
      prices: [
        { id: 22, price_cents: 620, expected_price_cents: 590 },
        { id: 23, price_cents: 1040 },
      ],
    },
  },
  'products.bulk_stock': {
    body: {
      changes: [
        { id: 22, delta: 40 },
        { id: 23, stock: 60, expected_stock: 40 },
      ],
      reason: 'Stocktaking',
    },
  },
  'products.bulk_status': { body: { ids: [49], status: 'active', from_status: 'draft' } },
  'products.bulk_delete': async ({ api }) => {
    const { id } = await api.products.create({ slug: 'sample-tin', name: 'Sample tin' });
    return { body: { ids: [id, 47] }, note: 'Nobody has bought the first product yet; the second has been sold.' };
  },
  'products.delete_variant': async ({ api, got }) => {
    const { id } = await api.products.create_variant(got('products.create').id, { sku: 'KQ-EK-06', price_cents: 5900, label: '0.6 l' });
    return { params: { id } };
  },
  'products.delete': async ({ api }) => {
    const { id } = await api.products.create({ slug: 'sample-tin-2', name: 'Sample tin' });
    return { params: { id } };
  },
};
