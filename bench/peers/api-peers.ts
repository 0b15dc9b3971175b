import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { freePort } from '../../test/helpers/ports.ts';
import { type Backroom, TOKEN, withBackroom } from '../backroom.ts';
import { startChild } from '../child.ts';
import type { ApiPeer, Question, Request } from './api-peer.ts';
import { hold } from './hold.ts';
import { installed } from './install.ts';

const ORDERS = 1000;
const CUSTOMERS = 400;
const NOTE = 'a note of the bench';
const json = { 'content-type': 'application/json' };

/** Backroom as it is started by `npm start`, on SQLite. */
export async function startBackroomApi(): Promise<ApiPeer> {
  const { value: backroom, close } = await hold<Backroom>((work) => withBackroom(work, { orders: ORDERS }));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const requestOf = (question: Question, index: number): Request => {
    if (question === 'list') return { method: 'GET', path: '/admin/api/orders?per_page=100', headers, body: null };
    if (question === 'order') return { method: 'GET', path: `/admin/api/orders/${backroom.orderIds[index % ORDERS]}`, headers, body: null };
    const path = `/admin/api/customers/${backroom.customerIds[index % CUSTOMERS]}/notes`;
    return { method: 'POST', path, headers: { ...headers, ...json }, body: JSON.stringify({ body: NOTE }) };
  };
  return { url: backroom.url, requestOf, isAnswer: isPlainAnswer, stop: close };
}

const Plain = {
  list: z.object({ data: z.array(z.object({ total: z.int() })).length(100) }),
  order: z.object({ items: z.array(z.object({ unit_price: z.int() })).min(1) }),
  note: z.object({ id: z.int(), body: z.literal(NOTE) }),
};
const isPlainAnswer = (question: Question, body: unknown): boolean => Plain[question].safeParse(body).success;

/** The statements alone, behind node:http. */
export async function startRawApi(parent: string): Promise<ApiPeer> {
  const child = startChild('peers/raw-server.ts', [await fillShop(parent)]);
  const url = z.string().parse(await child.next());
  const requestOf = (question: Question, index: number): Request => {
    if (question === 'list') return { method: 'GET', path: '/orders', headers: {}, body: null };
    if (question === 'order') return { method: 'GET', path: `/orders/${(index % ORDERS) + 1}`, headers: {}, body: null };
    return { method: 'POST', path: `/notes/${(index % CUSTOMERS) + 1}`, headers: json, body: JSON.stringify({ body: NOTE }) };
  };
  return { url, requestOf, isAnswer: isPlainAnswer, stop: () => ended(child) };
}

async function ended(child: ReturnType<typeof startChild>): Promise<void> {
  child.finish();
  await child.ended;
}

/** A new file with the shop that withBackroom fills. */
async function fillShop(parent: string): Promise<string> {
  const file = join(await mkdtemp(join(parent, 'shop-')), 'shop.db');
  const store = openStore({ url: file });
  await migrate(store);
  await fillSampleShop(store, { seed: 1, now: new Date(), orders: ORDERS });
  await store.close();
  return file;
}

const QUERIES: Record<Question, string> = {
  list: `query { orders(options: { take: 100, sort: { orderPlacedAt: DESC } }) { totalItems items {
    id code state createdAt orderPlacedAt totalWithTax currencyCode shippingAddress { fullName countryCode }
    customer { id firstName lastName emailAddress } } } }`,
  order: `query ($id: ID!) { order(id: $id) {
    id code state createdAt orderPlacedAt updatedAt subTotal subTotalWithTax shippingWithTax totalWithTax currencyCode
    customer { id firstName lastName emailAddress phoneNumber } couponCodes
    shippingAddress { fullName streetLine1 streetLine2 city province postalCode countryCode } billingAddress { fullName }
    payments { id state amount }
    lines { id quantity unitPrice unitPriceWithTax linePriceWithTax taxRate productVariant { id name sku } } } }`,
  note: `mutation ($id: ID!) { addNoteToCustomer(input: { id: $id, note: "${NOTE}", isPublic: false }) { id } }`,
};
const Answers = {
  list: z.object({ data: z.object({ orders: z.object({ items: z.array(z.object({ totalWithTax: z.int() })).length(100) }) }) }),
  order: z.object({ data: z.object({ order: z.object({ lines: z.array(z.object({ unitPrice: z.int() })).min(1) }) }) }),
  note: z.object({ data: z.object({ addNoteToCustomer: z.object({ id: z.string() }) }) }),
};

/** Vendure's admin API with the same orders, on SQLite with the same settings. */
export async function startVendure(parent: string): Promise<ApiPeer> {
  const folder = await installed('vendure');
  const [shopFile, port, password] = [await fillShop(parent), await freePort(), randomBytes(12).toString('hex')];
  const child = startChild('peers/vendure-server.ts', [folder, await mkdtemp(join(parent, 'vendure-')), shopFile, port, password]);
  await child.next();
  const url = `http://127.0.0.1:${port}`;
  const login = `mutation { login(username: "superadmin", password: "${password}") { __typename } }`;
  const signedIn = await request(`${url}/admin-api`, { method: 'POST', headers: json, body: JSON.stringify({ query: login }) });
  await signedIn.body.dump();
  const headers = { ...json, authorization: `Bearer ${signedIn.headers['vendure-auth-token']}` };
  const requestOf = (question: Question, index: number): Request => {
    const id = String((index % (question === 'note' ? CUSTOMERS : ORDERS)) + 1);
    return { method: 'POST', path: '/admin-api', headers, body: JSON.stringify({ query: QUERIES[question], variables: { id } }) };
  };
  return {
    url,
    requestOf,
    isAnswer: (question, body) => Answers[question].safeParse(body).success,
    stop: () => ended(child),
  };
}
