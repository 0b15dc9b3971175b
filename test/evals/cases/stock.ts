import type { Product } from '../../../contract/products.ts';
import { check, dryRun, type EvalCase, search, usualTurns, write } from '../case.ts';

const permissions = ['admin_api.products.write'];

const isSoldOut = ({ status, variants }: Product): boolean =>
  status === 'active' &&
  variants.length > 0 &&
  variants.every(({ track_stock, stock, allow_backorder }) => track_stock && stock <= 0 && !allow_backorder);

const hiding = (goal: string): string => `
export default async function main() {
  let hidden = 0;
  for await (const product of admin.products.each({ status: 'active' })) {
    const { variants } = product;
    if (variants.length === 0 || variants.some(({ track_stock, stock, allow_backorder }) => !track_stock || stock > 0 || allow_backorder)) continue;
    await admin.products.update(product.id, { status: '${goal}' });
    result('hidden', product.name, { product_id: product.id });
    hidden += 1;
  }
  return { hidden };
}
`;

export const stockCases: readonly EvalCase[] = [
  {
    name: 'hide-sold-out',
    topic: 'stock',
    wish: 'Take active products off the shop (back to draft) when every variant is sold out, its stock is tracked and it cannot be backordered.',
    permissions,
    changes: ({ products }) => products.filter(isSoldOut).map(({ id }) => ({ type: 'product', id, after: { status: 'draft' } })),
    // The first draft has a status that there is not; it is mended in place.
    turns: [
      { calls: [search('products status'), search('products.update')] },
      { calls: [write(hiding('hidden'), permissions)] },
      { calls: [check] },
      {
        text: 'The status is called draft.',
        calls: [{ name: 'edit_draft', input: { old_text: "status: 'hidden' }", new_text: "status: 'draft' }" } }],
      },
      { calls: [check, dryRun()] },
      { text: 'Products that are sold out become drafts. Another task would bring them back.' },
    ],
  },
  {
    name: 'set-low-stock-thresholds',
    topic: 'stock',
    wish: 'Set the low stock threshold of every active physical product that has none to 5.',
    permissions,
    changes: ({ products }) =>
      products
        .filter(({ status, kind, low_stock_threshold }) => status === 'active' && kind === 'physical' && low_stock_threshold === null)
        .map(({ id }) => ({ type: 'product', id, after: { low_stock_threshold: 5 } })),
    turns: usualTurns({
      query: 'products low stock threshold',
      source: `
export default async function main() {
  let changed = 0;
  for await (const { id, low_stock_threshold } of admin.products.each({ status: 'active', kind: 'physical' })) {
    if (low_stock_threshold !== null) continue;
    await admin.products.update(id, { low_stock_threshold: 5 });
    changed += 1;
  }
  return { changed };
}
`,
      permissions,
      says: 'Products without a threshold get 5; those that have one keep it.',
    }),
  },
  {
    name: 'receive-delivery',
    topic: 'stock',
    wish: 'A delivery came: add 20 pieces to the stock of every variant of the product named "Hand grinder".',
    permissions,
    changes: ({ products }) =>
      products
        .filter(({ name }) => name === 'Hand grinder')
        .flatMap(({ variants }) => variants.map(({ id, stock }) => ({ type: 'variant', id, after: { stock: stock + 20 } }))),
    turns: usualTurns({
      query: 'change stock of a variant',
      source: `
export default async function main() {
  const { data } = await admin.products.list({ search: 'Hand grinder' });
  const product = data.find(({ name }) => name === 'Hand grinder');
  if (!product) throw new Error('There is no product named "Hand grinder"');
  for (const { id, sku, stock } of product.variants) {
    await admin.products.change_stock(id, { stock: stock + 20, expected_stock: stock });
    log(sku, stock, '→', stock + 20);
  }
  return { variants: product.variants.length };
}
`,
      permissions,
      says: 'It adds 20 pieces once. Do not give it a schedule: each run adds 20 more.',
    }),
  },
  {
    name: 'raise-prices',
    topic: 'stock',
    wish: 'Raise the prices of all variants of products with "journal" in their name by 10 percent, rounded to whole cents.',
    permissions,
    changes: ({ products }) =>
      products
        .filter(({ name }) => name.toLowerCase().includes('journal'))
        .flatMap(({ variants }) =>
          variants.map(({ id, price_cents }) => ({ type: 'variant', id, after: { price_cents: Math.round((price_cents * 11) / 10) } })),
        ),
    turns: usualTurns({
      query: 'variant price',
      source: `
export default async function main() {
  let changed = 0;
  for await (const { name, variants } of admin.products.each({ search: 'journal' })) {
    if (!name.toLowerCase().includes('journal')) continue;
    for (const { id, price_cents } of variants) {
      await admin.products.update_variant(id, { price_cents: Math.round((price_cents * 11) / 10) });
      changed += 1;
    }
  }
  return { changed };
}
`,
      permissions,
      says: 'Prices of journals rise by 10 percent. It must run once only.',
    }),
  },
];
