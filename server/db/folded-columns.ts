import { emailKey } from '../../contract/emails.ts';
import { foldAdminEmail, foldEmail } from '../values/stored-emails.ts';
import { digitsOf, sortKey, subscriptionText } from '../values/texts.ts';

/** The columns that searches look at, and what they are made of. Who writes a row writes them in the same form. */

export type Texts = Readonly<Record<string, string | null>>;
/** The columns that are read, and what is made of them. */
export type Folding = { of: readonly string[]; columns(row: Texts): Texts };

/** Columns with a twin that holds their folded text. */
function twins(...of: string[]): Folding {
  return { of, columns: (row) => Object.fromEntries(of.map((name) => [`${name}_folded`, sortKey(row[name] ?? '')])) };
}

/** In the order in which `plain-texts.ts` brings them up to date. */
export const foldings: Readonly<Record<string, Folding>> = {
  access_groups: twins('name'),
  admin_invitations: { of: ['email'], columns: ({ email }) => ({ email_folded: foldAdminEmail(email ?? '') }) },
  admins: {
    of: ['name', 'email'],
    columns: ({ name, email }) => ({ name_folded: sortKey(name ?? ''), email_folded: foldAdminEmail(email ?? '') }),
  },
  discount_groups: twins('name'),
  files: twins('original_filename'),
  inquiries: {
    of: ['name', 'email', 'subject'],
    columns: ({ name, email, subject }) => ({
      email_folded: emailKey(email ?? ''),
      // The writer of a deleted customer's inquiry is blank, and so is the rest.
      search_folded: email === '' ? '' : sortKey([name, email, subject].join('\n')),
    }),
  },
  media: twins('filename', 'alt'),
  order_statuses: twins('name'),
  pages: twins('slug', 'title'),
  pickup_locations: twins('name'),
  products: twins('name'),
  roles: twins('name'),
  saved_views: twins('name'),
  shipping_methods: twins('name'),
  tasks: twins('name', 'description'),
  tax_rates: twins('name'),
  themes: twins('name'),
  variants: twins('sku', 'label'),
  vouchers: twins('code'),
  webhook_endpoints: twins('url'),
  subscriptions: {
    of: ['customer_name', 'customer_email', 'product_name', 'public_id'],
    columns: ({ customer_name, customer_email, product_name, public_id }) => ({
      search_folded: subscriptionText([customer_name, customer_email, product_name, public_id]),
    }),
  },
  customers: {
    of: ['name', 'email', 'phone'],
    columns: ({ name, email, phone }) => ({
      name_folded: sortKey(name ?? ''),
      email_folded: foldEmail(email ?? ''),
      phone_digits: digitsOf(phone ?? null),
    }),
  },
  orders: {
    of: ['customer_name', 'customer_email', 'customer_phone'],
    columns: ({ customer_name, customer_email, customer_phone }) => ({
      customer_name_folded: sortKey(customer_name ?? ''),
      customer_email_folded: foldEmail(customer_email ?? ''),
      phone_digits: digitsOf(customer_phone ?? null),
    }),
  },
};

/** The columns of a table that are made of its texts. */
export function foldedColumns(table: string): string[] {
  return Object.keys(foldings[table]?.columns({}) ?? {});
}

/** What is made of the texts of a row, if it is made of any of these columns. */
export function foldedAnew(table: string, row: Readonly<Record<string, unknown>>, columns: readonly string[]): Texts {
  const folding = foldings[table];
  if (!folding?.of.some((name) => columns.includes(name))) return {};
  return folding.columns(Object.fromEntries(folding.of.map((name) => [name, typeof row[name] === 'string' ? row[name] : null])));
}
