import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { EmailAddress } from './people.ts';
import { AdminPermissions, RUNNER_PERMISSION, TokenPermissions } from './permissions.ts';
import { Id, Name, Search, Timestamp } from './values.ts';

export const adminRoles = ['owner', 'staff'] as const;

export const Admin = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    role: z.enum(adminRoles),
    /** What the role gives: an owner all there is, staff its own list (decisions.md AU9). */
    permissions: z.array(z.string()),
    active: z.boolean(),
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable(),
  })
  .meta({ id: 'Admin' });
export type Admin = z.infer<typeof Admin>;

export const AccessToken = z
  .object({
    id: Id,
    name: z.string(),
    token_prefix: z.string(),
    /** null: all that its admin may. */
    permissions: z.array(z.string()).nullable(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AccessToken' });

/** What a list shows; never the token itself (decisions.md AU2, AU3). */
export const ListedToken = AccessToken.extend({ last_used_at: Timestamp.nullable(), never_expires: z.boolean() }).meta({
  id: 'ListedAccessToken',
});
export type ListedToken = z.infer<typeof ListedToken>;

export const NewToken = AccessToken.extend({
  token: z.string().nullable().meta({ description: 'Shown once: null where the answer is given again for its Idempotency-Key' }),
}).meta({ id: 'NewAccessToken' });
export type NewToken = z.infer<typeof NewToken>;

const tokenBody = z.object({
  name: Name,
  permissions: TokenPermissions.nullable()
    .optional()
    .meta({
      description: `What the token may, at most what the asking token may; default: the same as that. ["${RUNNER_PERMISSION}"], which an owner alone gives, makes it the token of a runner`,
    }),
  expires_in_days: z.int().min(1).max(365).nullable().optional().meta({ description: 'Days until it expires; null: never' }),
});
export type TokenBody = z.infer<typeof tokenBody>;

const added = true;
const mine = { permission: null, taskPermission: null, added } as const;

const read = 'admin_api.admins.read';
const write = 'admin_api.admins.write';

export const adminsEndpoints = endpointsOf(
  {
    id: 'me.get',
    method: 'GET',
    path: '/me',
    summary: 'The caller, and what the token that asks may do',
    ...mine,
    status: 200,
    response: Admin.extend({
      token_id: Id,
      effective_permissions: z.array(z.string()),
      shop: z
        .object({ name: z.string(), currency: z.string(), currency_exponent: z.int(), locale: z.string(), timezone: z.string() })
        .meta({ description: 'Settings of the shop that every admin may read' }),
    }),
  },
  {
    id: 'me.list_tokens',
    method: 'GET',
    path: '/me/tokens',
    summary: "The caller's tokens that are not revoked, newest first",
    ...mine,
    status: 200,
    response: z.array(ListedToken),
  },
  {
    id: 'me.create_token',
    method: 'POST',
    path: '/me/tokens',
    summary: 'Make a personal access token; it is shown once',
    ...mine,
    body: tokenBody,
    status: 201,
    response: NewToken,
    secretFields: ['token'],
    refusals: ['permission_not_held'],
  },
  {
    id: 'me.revoke_token',
    method: 'DELETE',
    path: '/me/tokens/{id}',
    summary: "Revoke one of the caller's tokens, at once",
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
    query: cursorQuery({ search: Search.optional(), active: z.boolean().optional() }),
    status: 200,
    response: cursorPageOf(Admin),
    added,
  },
  {
    id: 'admins.create',
    method: 'POST',
    path: '/admins',
    summary: 'Add an admin; a token for them is made apart',
    permission: write,
    body: z.object({
      name: Name,
      email: EmailAddress,
      role: z.enum(adminRoles).default('staff'),
      permissions: AdminPermissions.default([]),
      active: z.boolean().default(true),
    }),
    status: 201,
    response: Admin,
    location: '/admins/{id}',
    refusals: ['duplicate', 'permission_not_grantable'],
    added,
  },
  {
    id: 'admins.get',
    method: 'GET',
    path: '/admins/{id}',
    summary: 'One admin',
    permission: read,
    record: 'admin',
    status: 200,
    response: Admin,
    added,
  },
  {
    id: 'admins.update',
    method: 'PATCH',
    path: '/admins/{id}',
    summary: 'Change an admin; a deactivated one is locked out at once',
    permission: write,
    record: 'admin',
    body: z.object({
      name: Name.optional(),
      email: EmailAddress.optional(),
      role: z.enum(adminRoles).optional(),
      permissions: AdminPermissions.optional(),
      active: z.boolean().optional(),
    }),
    status: 200,
    response: Admin,
    refusals: ['duplicate', 'permission_not_grantable', 'last_owner'],
    added,
  },
  {
    id: 'admins.delete',
    method: 'DELETE',
    path: '/admins/{id}',
    summary: 'Remove an admin who has left no trace; one who has is deactivated instead',
    permission: write,
    record: 'admin',
    status: 204,
    refusals: ['last_owner', 'in_use'],
    added,
  },
  {
    id: 'admins.create_token',
    method: 'POST',
    path: '/admins/{id}/tokens',
    summary: 'Make a token for a colleague; it is shown once',
    permission: write,
    record: 'admin',
    body: tokenBody,
    status: 201,
    response: NewToken,
    secretFields: ['token'],
    refusals: ['permission_not_held'],
    added,
  },
);
