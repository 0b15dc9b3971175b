import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NoteText } from './people.ts';
import { Id, idSet, Name, Timestamp, TimestampInput } from './values.ts';

const GROUP_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

export const GroupSlug = z
  .string()
  .refine((slug) => GROUP_SLUG.test(slug), {
    message: 'must be 1 to 64 lower-case letters, digits and hyphens, without a hyphen at either end',
    params: { code: 'slug_invalid' },
  })
  .meta({ minLength: 1, maxLength: 64 });

/** Most customers of one bulk grant. */
export const GRANTS_MAX = 250;

/** Longest duration, in days, of access that a product grants (spec AG17). */
export const DURATION_MAX_DAYS = 36_500;

export const entitlementSources = ['order', 'subscription', 'manual_grant'] as const;

export const AccessGroup = z
  .object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    file_count: z.int(),
    page_count: z.int(),
    granting_product_count: z.int(),
    member_count: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'AccessGroup' });
export type AccessGroup = z.infer<typeof AccessGroup>;

export const GroupMember = z
  .object({
    customer_id: Id,
    customer_email: z.string(),
    customer_name: z.string().nullable(),
    source: z.enum(entitlementSources),
    source_id: Id,
    expires_at: Timestamp.nullable(),
    note: z.string().nullable(),
    group_name: z.string(),
    group_slug: z.string(),
  })
  .meta({ id: 'GroupMember' });
export type GroupMember = z.infer<typeof GroupMember>;

export const AccessGroupDetail = AccessGroup.extend({
  files: z.array(
    z.object({
      id: Id,
      original_filename: z.string(),
      file_size: z.int(),
      content_type: z.string(),
      storage_key: z.string(),
      sort_order: z.int(),
      created_at: Timestamp,
    }),
  ),
  pages: z.array(z.object({ id: Id, slug: z.string(), title: z.string() })),
  granting_products: z.array(
    z.object({
      product_id: Id,
      product_slug: z.string(),
      product_name: z.string(),
      duration_days: z.int().nullable(),
      is_subscription: z.boolean(),
    }),
  ),
  members: z.array(GroupMember),
}).meta({ id: 'AccessGroupDetail' });
export type AccessGroupDetail = z.infer<typeof AccessGroupDetail>;

export const AccessGrant = z
  .object({
    id: Id,
    customer_id: Id,
    group_id: Id,
    expires_at: Timestamp.nullable(),
    granted_by: Id,
    note: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AccessGrant' });
export type AccessGrant = z.infer<typeof AccessGrant>;

export const ProductAssignment = z
  .object({ group_id: Id, slug: z.string(), name: z.string(), duration_days: z.int().nullable() })
  .meta({ id: 'ProductAssignment' });
export type ProductAssignment = z.infer<typeof ProductAssignment>;

const GroupInput = z.object({ slug: GroupSlug, name: Name, description: NoteText.nullable().optional() });
const IdSet = idSet(10_000);

export const accessGroupsEndpoints = endpointsOf(
  {
    id: 'access_groups.list',
    method: 'GET',
    path: '/access-groups',
    summary: 'List access groups by name',
    permission: 'admin_api.access_groups.read',
    response: z.array(AccessGroup),
  },
  {
    id: 'access_groups.create',
    method: 'POST',
    path: '/access-groups',
    undo: 'restore',
    summary: 'Create an access group',
    permission: 'admin_api.access_groups.write',
    body: GroupInput,
    status: 201,
    response: AccessGroup,
    location: '/access-groups/{id}',
    refusals: ['slug_invalid', 'slug_taken'],
  },
  {
    id: 'access_groups.get',
    method: 'GET',
    path: '/access-groups/{id}',
    summary: 'Get an access group with its files, pages, products and members',
    permission: 'admin_api.access_groups.read',
    record: 'access_group',
    response: AccessGroupDetail,
  },
  {
    id: 'access_groups.update',
    method: 'PATCH',
    path: '/access-groups/{id}',
    undo: 'restore',
    summary: 'Change the slug, name and description; an omitted description keeps its value',
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    body: GroupInput,
    response: AccessGroup,
    refusals: ['slug_invalid', 'slug_taken', 'precondition_failed'],
  },
  {
    id: 'access_groups.delete',
    method: 'DELETE',
    path: '/access-groups/{id}',
    undo: 'restore',
    summary: 'Delete an access group, with its links to files and pages, its product assignments and its grants',
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    status: 204,
    refusals: ['precondition_failed'],
  },
  {
    id: 'access_groups.replace_files',
    method: 'PUT',
    path: '/access-groups/{id}/files',
    undo: 'restore',
    summary: 'Replace the files of the group with these files, in this order',
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    body: z.object({ file_ids: IdSet }),
    response: AccessGroup,
    refusals: ['file_not_found'],
  },
  {
    id: 'access_groups.replace_pages',
    method: 'PUT',
    path: '/access-groups/{id}/pages',
    undo: 'restore',
    summary: 'Replace the pages of the group with these pages',
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    body: z.object({ page_ids: IdSet }),
    response: AccessGroup,
    refusals: ['page_not_found'],
  },
  {
    id: 'access_groups.list_members',
    method: 'GET',
    path: '/access-groups/{id}/members',
    summary: 'List the members, one row for each customer and source',
    permission: 'admin_api.access_groups.read',
    record: 'access_group',
    response: z.array(GroupMember),
  },
  {
    id: 'access_groups.create_grant',
    method: 'POST',
    path: '/access-groups/{id}/grants',
    undo: 'restore',
    summary: 'Grant a customer access  manually',
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    body: z.object({
      customer_id: Id,
      /** null: the grant never ends. A time in the past is accepted (spec AG14). */
      expires_at: TimestampInput.nullable(),
      note: NoteText.nullable().optional(),
    }),
    status: 201,
    response: AccessGrant,
    refusals: ['customer_not_found'],
  },
  {
    id: 'access_groups.create_grants',
    method: 'POST',
    path: '/access-groups/{id}/grants/bulk',
    undo: 'restore',
    summary: `Grant at most ${GRANTS_MAX} customers access manually; each succeeds or fails on its own`,
    permission: 'admin_api.access_groups.write',
    record: 'access_group',
    body: z.object({
      customer_ids: idSet(GRANTS_MAX),
      expires_at: TimestampInput.nullable(),
      note: NoteText.nullable().optional(),
    }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id.meta({ description: 'The customer' }),
            grant_id: Id.nullable().meta({ description: 'The grant; null: there is none' }),
            code: z.string().exactOptional().meta({ description: 'Why there is no grant: customer_not_found' }),
          })
          .meta({ id: 'BulkGrantResult' }),
      ),
    }),
  },
  {
    id: 'access_groups.revoke_grant',
    method: 'DELETE',
    path: '/access-grants/{grant_id}',
    undo: 'restore',
    summary: 'Revoke a manual grant',
    permission: 'admin_api.access_groups.write',
    record: 'access_grant',
    status: 204,
  },
  {
    id: 'products.list_access_groups',
    method: 'GET',
    path: '/products/{id}/access-groups',
    summary: 'List the access groups that a product grants',
    permission: 'admin_api.products.read',
    record: 'product',
    response: z.array(ProductAssignment),
  },
  {
    id: 'products.replace_access_groups',
    method: 'PUT',
    path: '/products/{id}/access-groups',
    undo: 'restore',
    summary: 'Replace the set of access groups that a product grants',
    permission: 'admin_api.products.write',
    record: 'product',
    body: z.object({
      assignments: z
        .array(z.object({ group_id: Id, duration_days: z.int().min(1).max(DURATION_MAX_DAYS).nullable().optional() }))
        .max(1000)
        .superRefine((assignments, ctx) => {
          const seen = new Set<number>();
          assignments.forEach(({ group_id }, index) => {
            if (seen.has(group_id)) {
              ctx.addIssue({
                code: 'custom',
                path: [index, 'group_id'],
                message: `group ${group_id} is given twice`,
                params: { code: 'duplicate' },
              });
            }
            seen.add(group_id);
          });
        }),
    }),
    response: z.array(ProductAssignment),
    refusals: ['group_not_found', 'duplicate'],
  },
);
