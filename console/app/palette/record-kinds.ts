import type { OrderRow } from '../../../contract/orders.ts';
import { ApiError, type apiUntil } from '../../api/client.ts';
import { text } from '../../texts/app.ts';

const t = text.palette;

/** So many of a kind are read, the best of which are shown. */
const READ_MAX = 20;

/** A record that was found; `also` is another text that it is known by. */
export type Hit = { id: number; name: string; note?: string; also?: string; path: string };

type Api = ReturnType<typeof apiUntil>;
/** How the shop writes its money and days. */
export type Say = { money(minor: number, currency: string): string; day(at: string): string };

/** How the records of one kind are found. What a kind cannot be found by, it leaves out. */
export type RecordKind = {
  name: keyof typeof t.kinds;
  permission: string;
  /** The page that lists all records with a text. */
  list?: string;
  /** How the search of that page is told that digits are a number. */
  numberMark?: string;
  byText?(api: Api, text: string, say: Say): Promise<Hit[]>;
  /** Whether a number alone may be meant as a text, too. */
  areNumbersTexts?: true;
  byId?(api: Api, id: number): Promise<Hit[]>;
  /** By the number of an order, or how it begins. */
  byOrderNumber?(api: Api, number: string, say: Say): Promise<Hit[]>;
};

/** In the order in which they are shown. */
export const recordKinds: readonly RecordKind[] = [
  {
    name: 'orders',
    permission: 'admin_api.orders.read',
    list: '/orders',
    numberMark: '#',
    byText: async (api, search, say) => (await api.orders.list({ q: search, per_page: READ_MAX })).data.map((row) => orderHit(row, say)),
    byOrderNumber: async (api, number, say) =>
      (await api.orders.list({ number, include_test: true, per_page: READ_MAX })).data.map((row) => orderHit(row, say, number)),
  },
  {
    name: 'customers',
    permission: 'admin_api.customers.read',
    list: '/customers',
    byText: async (api, search) => (await api.customers.list({ q: search, per_page: READ_MAX })).data.map((row) => customerHit(row)),
    byId: async (api, id) => (await ifThere(api.customers.get(id))).map((row) => customerHit(row, id)),
  },
  {
    name: 'products',
    permission: 'admin_api.products.read',
    list: '/products',
    byText: async (api, search) => (await api.products.list({ q: search, per_page: READ_MAX })).data.map((row) => productHit(row)),
    // The SKU of a variant is often a number.
    areNumbersTexts: true,
    byId: async (api, id) => (await ifThere(api.products.get(id))).map((row) => productHit(row, id)),
  },
  {
    name: 'tasks',
    permission: 'admin_api.ai_tasks.read',
    list: '/tasks',
    byText: async (api, search) => (await api.ai_tasks.list({ search, limit: READ_MAX })).tasks.map((row) => taskHit(row)),
    byId: async (api, id) => (await ifThere(api.ai_tasks.get(id))).map(({ task }) => taskHit(task, id)),
  },
  {
    name: 'runs',
    permission: 'admin_api.ai_tasks.read',
    byId: async (api, id) =>
      (await api.ai_tasks.list_all_runs({ run_id: id })).data.map(({ task_id, task_name, description }) => ({
        id,
        name: t.run(id),
        note: description ?? task_name,
        path: `/tasks/${task_id}/runs/${id}`,
      })),
  },
  {
    name: 'subscriptions',
    permission: 'admin_api.subscriptions.read',
    list: '/subscriptions',
    byText: async (api, search) =>
      (await api.subscriptions.list({ q: search, per_page: READ_MAX })).data.map((row) => subscriptionHit(row)),
    byId: async (api, id) => (await ifThere(api.subscriptions.get(id))).map((row) => subscriptionHit(row, id)),
  },
  {
    name: 'inquiries',
    permission: 'admin_api.inquiries.read',
    list: '/inquiries',
    byText: async (api, search) =>
      (await api.inquiries.list({ q: search, per_page: READ_MAX })).data.map(({ id, subject, name, email }) => ({
        id,
        name: subject,
        note: name,
        also: email,
        path: `/inquiries?open=${id}`,
      })),
  },
  {
    name: 'pages',
    permission: 'admin_api.pages.read',
    list: '/pages',
    byText: async (api, search) =>
      (await api.pages.list({ search })).map(({ id, title, slug }) => ({
        id,
        name: title,
        note: `/${slug}`,
        also: slug,
        path: `/pages/${id}`,
      })),
  },
];

/** One customer may have many orders: day and total tell them apart. */
function orderHit(row: OrderRow, say: Say, number?: string): Hit {
  const { id, public_id, customer_name, customer_email, created_at, total, currency } = row;
  const told = [customer_name, say.day(created_at), say.money(total, currency)].join(' · ');
  const note = noteOf(String(id) === number ? id : undefined, told);
  return { id, name: public_id, note, also: customer_email, path: `/orders?open=${id}` };
}

function customerHit({ id, name, email }: { id: number; name: string; email: string }, by?: number): Hit {
  return { id, name, note: noteOf(by, email), also: email, path: `/customers/${id}` };
}

function productHit({ id, name }: { id: number; name: string }, by?: number): Hit {
  return { id, name, note: noteOf(by), path: `/products/${id}` };
}

function subscriptionHit(row: { id: number; product_name: string; customer_name: string; customer_email: string }, by?: number): Hit {
  const { id, product_name, customer_name, customer_email } = row;
  return { id, name: product_name, note: noteOf(by, customer_name), also: customer_email, path: `/subscriptions?open=${id}` };
}

function taskHit({ id, name }: { id: number; name: string }, by?: number): Hit {
  return { id, name, note: noteOf(by), path: `/tasks/${id}` };
}

/** The id by which a record was found, then what else is worth knowing of it. */
function noteOf(by: number | undefined, note?: string): string {
  return [by === undefined ? '' : `#${by}`, note ?? ''].filter((part) => part !== '').join(' · ');
}

/** The record of an id, if there is one. */
async function ifThere<Row>(read: Promise<Row>): Promise<Row[]> {
  try {
    return [await read];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
