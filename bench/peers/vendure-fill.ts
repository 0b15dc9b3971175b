import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import type { App, Vendure, VendureCli } from './vendure-types.ts';

const Customers = z.array(z.object({ id: z.int(), name: z.string(), email: z.string() }));
const Variants = z.array(z.object({ id: z.int(), name: z.string(), sku: z.string(), price: z.int() }));
const Orders = z.array(
  z.object({
    id: z.int(),
    public_id: z.string(),
    customer_id: z.int().nullable(),
    status: z.string(),
    payment_status: z.string(),
    customer_name: z.string(),
    shipping_line1: z.string(),
    shipping_city: z.string(),
    shipping_postal_code: z.string(),
    shipping_country: z.string(),
    currency: z.string(),
    total: z.int(),
    tax_amount: z.int(),
    shipping_cost: z.int(),
    created_at: z.string(),
  }),
);
const Items = z.array(z.object({ order_id: z.int(), variant_id: z.int(), quantity: z.int(), unit_price: z.int(), tax_rate: z.int() }));

const INITIAL = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'Ireland', code: 'IE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 23 }],
  shippingMethods: [{ name: 'Post', price: 500 }],
  paymentMethods: [],
  collections: [],
};
const STATES: Record<string, string> = { delivered: 'Delivered', shipped: 'Shipped', cancelled: 'Cancelled' };

/**
 * Fills an empty Vendure with the customers, goods and orders of a shop of Backroom. Goods are made by Vendure's services; customers and
 * orders are stored as Vendure's own entities, because to place each order would take minutes. Payments and shipments are left out.
 */
export async function fillVendure(vendure: Vendure, cli: VendureCli, app: App, shopFile: string): Promise<void> {
  await cli.populateInitialData(app, INITIAL);
  const shop = new SqliteDatabase(shopFile, { readonly: true });
  const read = (text: string) => shop.prepare(text).all();
  const ctx = await app.get(vendure.RequestContextService).create({ apiType: 'admin' });
  const channel = await app.get(vendure.ChannelService).getDefaultChannel();
  const [taxCategory] = (await app.get(vendure.TaxCategoryService).findAll(ctx)).items;
  const connection = app.get(vendure.TransactionalConnection);
  /** Saves the rows and returns what finds the saved row of a former id. */
  const save = async (entity: typeof vendure.Order, rows: { former: number; row: object }[]) => {
    const saved = await connection.getRepository(ctx, entity).save(rows.map(({ row }) => row));
    return new Map(rows.map(({ former }, index) => [former, saved[index]]));
  };

  const variants = new Map<number, object | undefined>();
  const goods = read(
    `SELECT variant_id AS id, max(product_name || ' ' || variant_label) AS name, max(product_sku) || '-' || variant_id AS sku,
            max(unit_price) AS price FROM order_items GROUP BY variant_id`,
  );
  for (const { id, name, sku, price } of Variants.parse(goods)) {
    const translations = [{ languageCode: 'en', name, slug: sku.toLowerCase(), description: '' }];
    const product = await app.get(vendure.ProductService).create(ctx, { translations });
    const input = { productId: product.id, sku, price, translations: [{ languageCode: 'en', name }] };
    variants.set(id, (await app.get(vendure.ProductVariantService).create(ctx, [input]))[0]);
  }

  const customerRows = Customers.parse(read('SELECT id, name, email FROM customers')).map(({ id, name, email }) => {
    const [firstName = '', ...rest] = name.split(' ');
    const row = new vendure.Customer();
    return { former: id, row: Object.assign(row, { firstName, lastName: rest.join(' '), emailAddress: email, channels: [channel] }) };
  });
  const customers = await save(vendure.Customer, customerRows);

  const orderRows = Orders.parse(read('SELECT * FROM orders')).map((order) => ({
    former: order.id,
    row: Object.assign(new vendure.Order(), {
      code: order.public_id,
      state: STATES[order.status] ?? (order.payment_status === 'paid' ? 'PaymentSettled' : 'ArrangingPayment'),
      active: false,
      orderPlacedAt: new Date(order.created_at),
      customer: order.customer_id === null ? undefined : customers.get(order.customer_id),
      currencyCode: order.currency,
      couponCodes: [],
      shippingAddress: {
        fullName: order.customer_name,
        streetLine1: order.shipping_line1,
        city: order.shipping_city,
        postalCode: order.shipping_postal_code,
        countryCode: order.shipping_country,
      },
      billingAddress: {},
      channels: [channel],
      subTotal: order.total - order.shipping_cost - order.tax_amount,
      subTotalWithTax: order.total - order.shipping_cost,
      shipping: order.shipping_cost,
      shippingWithTax: order.shipping_cost,
    }),
  }));
  const orders = await save(vendure.Order, orderRows);

  const itemRows = Items.parse(read('SELECT * FROM order_items ORDER BY order_id, position')).map((item) => ({
    former: 0,
    row: Object.assign(new vendure.OrderLine(), {
      order: orders.get(item.order_id),
      productVariant: variants.get(item.variant_id),
      taxCategory,
      quantity: item.quantity,
      orderPlacedQuantity: item.quantity,
      initialListPrice: item.unit_price,
      listPrice: item.unit_price,
      listPriceIncludesTax: false,
      adjustments: [],
      taxLines: [{ description: 'tax', taxRate: item.tax_rate / 100 }],
    }),
  }));
  await save(vendure.OrderLine, itemRows);
  shop.close();
}
