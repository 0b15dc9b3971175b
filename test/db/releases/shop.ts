import assert from 'node:assert/strict';
import type { TestApp } from '../../helpers/app.ts';
import { grantCredits, makeAddress, makeCustomer, makeFile, makeOrder, makeOrderStatus, makeVariant } from '../../helpers/builders.ts';
import { png } from '../../helpers/images.ts';
import { person } from '../../helpers/people.ts';
import { ghent, phoneOrder } from '../../helpers/phone-orders.ts';
import type { Receiver } from '../../helpers/receiver.ts';
import { field } from '../../helpers/runs.ts';
import { makeDiscountGroup, makePickupLocation, makeShippingMethod, makeTaxRate, makeVoucher } from '../../helpers/terms.ts';

/** What the tests must know of a shop that a release has left. Its secrets are those of a shop that never was. */
export type Goods = {
  /** Tokens of Hanna Helper: one that never ends, and one of a sign-in. */
  token: string;
  /** Of a second owner. */
  owner: string;
  session: string;
  webhook: { id: number; secret: string };
  customer: number;
  /** An order that is neither cancelled nor paid. */
  openOrder: number;
  /** What anyone with the link gets. */
  download: string;
  image: string;
};

const staff = ['admin_api.orders.read', 'admin_api.customers.write'] as const;

/** Writes a small shop with one of everything that has no runs; `receiver` gets its webhooks. */
export async function makeGoods(app: TestApp, receiver: Receiver): Promise<Goods> {
  const { client } = app;
  await client.settings.update({
    shop_name: 'Tea and Paper',
    timezone: 'Europe/Vienna',
    locale: 'de',
    locales: ['de', 'en'],
    download_days: 3650,
  });
  const helper = await person(app, { permissions: [...staff], name: 'Hanna Helper' });
  const { token } = await client.admins.create_token(helper.adminId, { name: 'Scanner', expires_in_days: null });
  const owner = await person(app, { role: 'owner', name: 'Olga Owner' });
  const link = await app.clientFor(helper.token).me.create_sign_in_link({});
  const signedIn = await app.request({ method: 'POST', path: '/admin/api/sign-in', body: { code: link.code }, token: null });
  await client.admin_invitations.create({
    email: 'nina@shop.example',
    name: 'Nina',
    role: 'staff',
    permissions: ['admin_api.orders.read'],
  });
  await client.me.create_view({ screen: 'orders', name: 'To pack', search: { status: 'processing' }, shared: true });
  const hook = await client.webhooks.create({ url: receiver.url, events: ['order.status_changed'] });
  assert.ok(token && hook.secret);

  const { variant, image, file } = await makeProducts(app);
  const customer = await makeKnownCustomer(app);
  const orders = await makeOrders(app, { variant, file, email: customer.email, name: customer.name });
  await receiver.count(2);
  await makePages(app);
  return {
    token,
    owner: owner.token,
    session: String(field(signedIn.body, 'token')),
    webhook: { id: hook.id, secret: hook.secret },
    customer: customer.id,
    openOrder: orders.open,
    download: orders.download,
    image,
  };
}

async function makeProducts(app: TestApp) {
  const { client } = app;
  const rate = await makeTaxRate(app, { name: 'Reduced', rate_bps: 1000 });
  const image = await client.media.create({ file: { filename: 'Kännchen.png', content: png(1, 1) } });
  await client.media.update(image.id, { alt: 'A pot of tea' });
  const tea = await client.products.create({
    slug: 'tea',
    name: 'Grüner Tee',
    status: 'active',
    tax_rate_id: rate.id,
    media_ids: [image.id],
  });
  const variant = await makeVariant(app, { product_id: tea.id, sku: 'TEA-100', price_cents: 850, stock: 40 });
  await client.products.bulk_stock({ changes: [{ id: variant.id, delta: -3 }], reason: 'broken' });
  const book = await client.products.create({ slug: 'book', name: 'The book of tea', status: 'active', kind: 'digital' });
  const file = await makeFile(app, { original_filename: 'book.pdf', product_id: book.id });
  const pdf = await makeVariant(app, { product_id: book.id, sku: 'BOOK-PDF', price_cents: 1200, track_stock: false });
  const group = await client.access_groups.create({ name: 'Readers', slug: 'readers' });
  await client.access_groups.replace_files(group.id, { file_ids: [file.id] });
  await client.products.replace_access_groups(book.id, { assignments: [{ group_id: group.id }] });
  return { variant, image: image.url, file: pdf };
}

async function makeKnownCustomer(app: TestApp) {
  const { client } = app;
  const group = await makeDiscountGroup(app, 500);
  const customer = await makeCustomer(app, { name: 'Ágnes Őri', email: 'agnes@example.com', is_b2b: true, discount_group_id: group.id });
  await makeAddress(app, customer.id, { label: 'Office', is_default: true });
  await grantCredits(app, customer.id, 300, 3650);
  await client.customers.create_note(customer.id, { body: 'Likes it strong' });
  await client.customers.upload_file(customer.id, { file: { filename: 'vat.txt', content: 'ATU12345678' } });
  await client.inquiries.create({ name: customer.name, email: customer.email, subject: 'Samples', body: 'Do you send samples?' });
  return customer;
}

type Bought = { variant: { id: number }; file: { id: number }; name: string; email: string };

/** Orders in several states; two of them have changed their status, which the webhook tells. */
async function makeOrders(app: TestApp, { variant, file, name, email }: Bought) {
  const { orders } = app.client;
  const packing = await makeOrderStatus(app, { name: 'In packing' });
  const method = await makeShippingMethod(app, { name: 'Post' });
  await makePickupLocation(app, { name: 'Corner shop' });
  const voucher = await makeVoucher(app, { code: 'TEN', percent_bps: 1000 });
  const paid = await orders.create(
    phoneOrder([{ variant_id: variant.id, quantity: 2 }], {
      customer: { name, email, phone: '+43 1 234567' },
      shipping: { kind: 'configured', method_id: method.id },
      shipping_address: ghent,
      voucher_code: voucher.code,
      payment_status: 'paid',
    }),
  );
  await orders.update_internal_status(paid.id, { internal_status_id: packing.id });
  await orders.create_comment(paid.id, { body: 'Wrap it as a present' });
  await orders.create_shipment(paid.id);
  const read = await makeOrder(app, { customer: { name, email }, payment_status: 'paid' }, [{ variant: file, quantity: 1 }]);
  await orders.update_status(read.id, { status: 'delivered' });
  const gone = await makeOrder(app, { status: 'cancelled', customer_name: 'Zoë Über' }, [{ variant, quantity: 1 }]);
  const open = await makeOrder(app, { customer_name: 'Bob Late', notes: 'Ring twice' }, [{ variant, quantity: 3 }]);
  await orders.create_payment(open.id, { label: 'Deposit', amount_cents: 500 });
  assert.ok(gone.id < open.id);
  const [download] = (await orders.get(read.id)).downloads;
  assert.ok(download?.url);
  return { open: open.id, download: download.url };
}

async function makePages({ client }: TestApp): Promise<void> {
  const page = await client.pages.create({ slug: 'about', title: 'About us', meta_title: 'Tea and paper' });
  await client.pages.update(page.id, { content: '<p>Since 1906</p>', published: true });
  await client.pages.replace_translations(page.id, { entries: [{ field: 'meta_title', locale: 'de', value: 'Tee und Papier' }] });
  await client.pages.save_draft(page.id, { title: 'About all of us' });
  const theme = await client.themes.create({ name: 'Paper' });
  await client.themes.save_template(theme.id, 'footer', { content: '{{ shop.name }}' });
}
