import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { EmailAddress } from './people.ts';
import { AdminPermissions, RUNNER_PERMISSION, TokenPermissions } from './permissions.ts';
import { Id, listOf, Name, REPEATED, Search, Timestamp, text } from './values.ts';

export const adminRoles = ['owner', 'staff'] as const;

export const Admin = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: z.enum(adminRoles),
    role_id: Id.nullable().meta({ description: 'The named role of somebody of the staff; null: they have a list of their own' }),
    role_name: z.string().nullable(),
    /**
     * The permissions that follow from the role: an owner has all of them, a staff admin has those of their named role, else of their own
     * list (spec AU9).
     */
    permissions: z.array(z.string()),
    active: z.boolean(),
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable(),
  })
  .meta({ id: 'Admin' });
export type Admin = z.infer<typeof Admin>;

/** What every admin may know of the others: who an id in a record is. */
export const AdminName = Admin.pick({ id: true, name: true, active: true }).meta({ id: 'AdminName' });
export type AdminName = z.infer<typeof AdminName>;

/** The languages of the console. */
export const consoleLanguages = ['en', 'de', 'hu', 'fr'] as const;

const consoleNames = listOf(text({ min: 1, max: 50 }), 50);

/** How the console looks for one admin, on every device. */
export const ConsoleSettings = z
  .object({
    language: z.enum(consoleLanguages).nullable().meta({ description: 'Language of the console; null: the one that the browser asks for' }),
    overview_cards: consoleNames.nullable().meta({ description: 'Cards of the overview in their order; null: the usual ones' }),
    folded_groups: consoleNames.meta({ description: 'Groups of the navigation that are folded' }),
    hides_first_steps: z.boolean().meta({ description: 'Whether the overview no longer shows what a new shop still needs' }),
  })
  .meta({ id: 'ConsoleSettings' });
export type ConsoleSettings = z.infer<typeof ConsoleSettings>;

export const AccessToken = z
  .object({
    id: Id,
    name: z.string(),
    token_prefix: z.string(),
    /** null: the token has all permissions of its admin. */
    permissions: z.array(z.string()).nullable(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AccessToken' });

/** A token as lists show it, without the token itself (spec AU2, AU3). */
export const ListedToken = AccessToken.extend({
  last_used_at: Timestamp.nullable(),
  never_expires: z.boolean(),
  device: z.string().nullable().meta({ description: 'Of a sign-in by a link: the device, as it calls itself; null: an access token' }),
  single_use: z.boolean().meta({ description: 'Whether the token is valid for one request; it is listed until it is used' }),
}).meta({
  id: 'ListedAccessToken',
});
export type ListedToken = z.infer<typeof ListedToken>;

export const NewToken = AccessToken.extend({
  token: z
    .string()
    .nullable()
    .meta({ description: `The token, shown once; ${REPEATED}` }),
}).meta({ id: 'NewAccessToken' });
export type NewToken = z.infer<typeof NewToken>;

/** How long a token for one request waits for it. */
export const SINGLE_USE_MINUTES = 10;

const tokenBody = z.object({
  name: Name,
  permissions: TokenPermissions.nullable()
    .optional()
    .meta({
      description: `Permissions of the token, none beyond those of the token that sends the request. Default: the same as that token. ["${RUNNER_PERMISSION}"] makes a token for a runner; only an owner can make one`,
    }),
  expires_in_days: z
    .int()
    .min(1)
    .max(365)
    .nullable()
    .optional()
    .meta({ description: 'Days until the token expires; null: it never expires' }),
});
export type TokenBody = z.infer<typeof tokenBody>;
const ownTokenBody = tokenBody.extend({
  single_use: z
    .boolean()
    .default(false)
    .meta({
      description: `The token is valid for one request, within ${SINGLE_USE_MINUTES} minutes, which can make no token and no link; \`expires_in_days\` must be left out`,
    }),
});
export type OwnTokenBody = z.infer<typeof ownTokenBody>;

const mine = { permission: null, taskPermission: null } as const;

export const RoleId = Id.nullable().optional().meta({
  description: 'A named role, for staff alone; the permissions are then those of the role',
});

const read = 'admin_api.admins.read';
const write = 'admin_api.admins.write';

const Me = Admin.extend({
  token_id: Id,
  effective_permissions: z.array(z.string()),
  console: ConsoleSettings,
  shop: z
    .object({
      name: z.string(),
      currency: z.string(),
      currency_exponent: z.int(),
      locale: z.string(),
      timezone: z.string(),
      public_url: z.string().nullable(),
      low_stock_threshold: z
        .int()
        .meta({ description: 'A product whose stock is at most this is low, unless it has a threshold of its own' }),
      sends_mail: z.boolean().meta({ description: 'Whether the shop has a mail account; without one, mails wait' }),
      payment_provider_configured: z.boolean().meta({
        description: 'Whether the server can reach a payment provider; without one, what is cancelled here goes on there',
      }),
    })
    .meta({ description: 'Settings of the shop that every admin may read' }),
}).meta({ id: 'Me' });

export const adminsEndpoints = endpointsOf(
  {
    id: 'me.get',
    method: 'GET',
    path: '/me',
    summary: 'Get the calling admin, and the permissions of the token that sent the request',
    ...mine,
    response: Me,
  },
  {
    id: 'me.update',
    method: 'PATCH',
    path: '/me',
    summary: 'Change how the console looks for the caller; what is left out stays as it is',
    ...mine,
    body: z.object({ console: ConsoleSettings.partial().optional() }),
    response: Me,
  },
  {
    id: 'me.list_tokens',
    method: 'GET',
    path: '/me/tokens',
    summary: "List the caller's tokens that are not revoked, newest first",
    ...mine,
    response: z.array(ListedToken),
  },
  {
    id: 'me.create_token',
    method: 'POST',
    path: '/me/tokens',
    summary: 'Create a personal access token; the token is shown only once',
    decides: true,
    ...mine,
    body: ownTokenBody,
    status: 201,
    response: NewToken,
    secretFields: ['token'],
    refusals: ['permission_not_held', 'invalid_value'],
  },
  {
    id: 'me.revoke_token',
    method: 'DELETE',
    path: '/me/tokens/{id}',
    summary: "Revoke one of the caller's  tokens; it stops working at once",
    ...mine,
    record: 'token',
    status: 204,
  },
  {
    id: 'admins.list',
    method: 'GET',
    path: '/admins',
    summary: 'List admins, oldest first',
    permission: read,
    query: cursorQuery({ search: Search.optional(), active: z.boolean().optional(), role_id: Id.optional() }),
    response: cursorPageOf(Admin),
  },
  {
    id: 'admins.names',
    method: 'GET',
    path: '/admins/names',
    summary: 'List the names of all admins, deactivated ones included, oldest first; every admin may read them',
    ...mine,
    response: z.array(AdminName),
  },
  {
    id: 'admins.create',
    method: 'POST',
    path: '/admins',
    summary: 'Add an admin; create their token with a separate request',
    decides: true,
    permission: write,
    body: z.object({
      name: Name,
      email: EmailAddress,
      role: z.enum(adminRoles).default('staff'),
      role_id: RoleId,
      permissions: AdminPermissions.default([]),
      active: z.boolean().default(true),
    }),
    status: 201,
    response: Admin,
    location: '/admins/{id}',
    refusals: ['duplicate', 'permission_not_grantable', 'role_not_found', 'invalid_value'],
  },
  {
    id: 'admins.get',
    method: 'GET',
    path: '/admins/{id}',
    summary: 'Get an admin',
    permission: read,
    record: 'admin',
    response: Admin,
  },
  {
    id: 'admins.update',
    method: 'PATCH',
    path: '/admins/{id}',
    summary: 'Change an admin; a deactivated admin loses access at once, and every sign-in, passkey and recovery code ends',
    decides: true,
    permission: write,
    record: 'admin',
    body: z.object({
      name: Name.optional(),
      email: EmailAddress.optional(),
      role: z.enum(adminRoles).optional(),
      role_id: RoleId,
      permissions: AdminPermissions.optional().meta({ description: 'A list of their own, in place of a named role' }),
      active: z.boolean().optional(),
    }),
    response: Admin,
    refusals: ['duplicate', 'permission_not_grantable', 'role_not_found', 'invalid_value', 'last_owner', 'passkey_missing'],
  },
  {
    id: 'admins.delete',
    method: 'DELETE',
    path: '/admins/{id}',
    summary: 'Remove an admin; the delete is refused if any record refers to them (deactivate them instead)',
    decides: true,
    permission: write,
    record: 'admin',
    status: 204,
    refusals: ['last_owner', 'in_use'],
  },
  {
    id: 'admins.create_token',
    method: 'POST',
    path: '/admins/{id}/tokens',
    summary: 'Create a token for another admin; the token is shown only once',
    decides: true,
    permission: write,
    record: 'admin',
    body: tokenBody,
    status: 201,
    response: NewToken,
    secretFields: ['token'],
    refusals: ['permission_not_held'],
  },
);
