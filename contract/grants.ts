import { z } from 'zod';
import { domainOf } from './emails.ts';
import { canonicalRule } from './http-allow.ts';
import { SECRET_NAME, SECRET_NAME_RULE } from './secret-rules.ts';
import { Id } from './values.ts';

/** The grants of a version: where and with whom it may use the permissions `mail_send`, `http_request` and `tasks_start`. */

/** The most entries of one list. */
const MAX_ENTRIES = 50;
const MAX_LENGTH = 2000;

/** A list whose entries are brought into their canonical form; `read` throws a text that says what is accepted. */
function grantList(read: (text: string) => { value?: string; problem?: string }) {
  return z
    .array(z.string().max(MAX_LENGTH))
    .max(MAX_ENTRIES)
    .transform((list, ctx) => {
      const kept = new Set<string>();
      list.forEach((text, index) => {
        const { value, problem = '' } = read(text);
        if (value !== undefined) kept.add(value);
        else ctx.issues.push({ code: 'custom', path: [index], input: text, message: problem, params: { code: 'invalid_value' } });
      });
      return [...kept];
    })
    .default([]);
}

/** To whom a version may write mails. */
const MailTo = grantList((text) => {
  const trimmed = text.trim();
  if (trimmed === 'customers' || trimmed === 'admins') return { value: trimmed };
  const [, local = '', domain = ''] = /^([^\s@<>,;"]{0,64})@([^\s@]+)$/.exec(trimmed) ?? [];
  const host = domainOf(domain);
  if (host !== null) return { value: `${local}@${host}` };
  return { problem: 'must be "customers", "admins", a domain such as "@example.com" or an address such as "ops@example.org"' };
});

export const SecretName = z.string().regex(SECRET_NAME, SECRET_NAME_RULE);

const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** Four lists; what a version does not name in them, its runs cannot reach. */
export const Grants = z.object({
  mail_to: MailTo.meta({
    description: 'To whom runs may write: `customers`, `admins`, domains (`@example.com`) and addresses; needs the permission `mail_send`',
  }),
  http_allow: grantList(canonicalRule).meta({
    description:
      'To which addresses runs may send requests: `[METHODS ]https://host[:port]/path`, or `/path/*` for everything below; without methods GET and HEAD; needs the permission `http_request`',
  }),
  secrets: z
    .array(SecretName)
    .max(MAX_ENTRIES)
    .transform((list) => distinct(list))
    .default([])
    .meta({ description: 'The names of the secrets that runs may put into requests; needs the permission `http_request`' }),
  may_start: z
    .array(Id)
    .max(MAX_ENTRIES)
    .transform((list) => distinct(list))
    .default([])
    .meta({ description: 'The ids of the tasks that runs may start; needs the permission `tasks_start`' }),
});
export type Grants = z.infer<typeof Grants>;

export const noGrants: Grants = { mail_to: [], http_allow: [], secrets: [], may_start: [] };

/** The same lists as they are stored and shown. */
export const ShownGrants = z.object({
  mail_to: z.array(z.string()),
  http_allow: z.array(z.string()),
  secrets: z.array(z.string()),
  may_start: z.array(Id),
});
