import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Id, listOf, Name, SortOrder, Timestamp, text } from './values.ts';

const SCREEN = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

const Screen = z
  .string()
  .refine((slug) => SCREEN.test(slug), {
    message: 'must be 1 to 50 lower-case letters, digits and hyphens, without a hyphen at either end',
    params: { code: 'slug_invalid' },
  })
  .meta({ minLength: 1, maxLength: 50, description: 'The screen of the console that the view is for, such as orders' });

/** Largest size of the filters of a view, as JSON. */
const SEARCH_MAX_BYTES = 8192;
/** Most views of one admin. */
export const VIEWS_MAX = 100;

const SavedSearch = z
  .record(z.string(), z.unknown())
  .superRefine((search, ctx) => {
    if (new TextEncoder().encode(JSON.stringify(search)).length <= SEARCH_MAX_BYTES) return;
    ctx.addIssue({ code: 'custom', message: `must have at most ${SEARCH_MAX_BYTES} bytes as JSON`, params: { code: 'too_long' } });
  })
  .meta({ description: `Filters and order as the screen understands them; at most ${SEARCH_MAX_BYTES} bytes` });

const Columns = listOf(text({ min: 1, max: 100 }), 100)
  .nullable()
  .meta({ description: 'The columns to show, in their order; null: those that the screen shows by itself' });

export const View = z
  .object({
    id: Id,
    screen: z.string(),
    name: z.string(),
    search: z.record(z.string(), z.unknown()),
    columns: z.array(z.string()).nullable(),
    shared: z.boolean().meta({ description: 'Whether every admin sees the view' }),
    position: z.int().meta({ description: 'Place among the views of the screen; lower numbers come first' }),
    admin_id: Id.meta({ description: 'The admin whose view it is' }),
    own: z.boolean().meta({ description: 'Whether it is the view of the calling admin' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'View' });
export type View = z.infer<typeof View>;

const mine = { permission: null, taskPermission: null } as const;

export const viewsEndpoints = endpointsOf(
  {
    id: 'me.list_views',
    method: 'GET',
    path: '/me/views',
    summary: "List the caller's saved views and those that others share, by position",
    ...mine,
    query: z.object({ screen: Screen.optional() }),
    response: z.array(View),
  },
  {
    id: 'me.create_view',
    method: 'POST',
    path: '/me/views',
    summary: `Save a view: filters and columns of a screen under a name; an admin has at most ${VIEWS_MAX}`,
    ...mine,
    body: z.object({
      screen: Screen,
      name: Name,
      search: SavedSearch.default({}),
      columns: Columns.default(null),
      shared: z.boolean().default(false),
      position: SortOrder.optional().meta({ description: "Default: after the caller's other views of the screen" }),
    }),
    status: 201,
    response: View,
    location: '/me/views/{id}',
    refusals: ['duplicate', 'out_of_range'],
  },
  {
    id: 'me.get_view',
    method: 'GET',
    path: '/me/views/{id}',
    summary: 'Get a saved view of the caller, or one that is shared',
    ...mine,
    record: 'view',
    response: View,
  },
  {
    id: 'me.update_view',
    method: 'PATCH',
    path: '/me/views/{id}',
    summary: "Change a saved view: one's own; an owner, by a token without a list of permissions, also changes what others share",
    ...mine,
    record: 'view',
    body: z.object({
      name: Name.optional(),
      search: SavedSearch.optional(),
      columns: Columns.optional(),
      shared: z.boolean().optional(),
      position: SortOrder.optional(),
    }),
    response: View,
    refusals: ['forbidden', 'duplicate'],
  },
  {
    id: 'me.delete_view',
    method: 'DELETE',
    path: '/me/views/{id}',
    summary: "Delete a saved view: one's own; an owner, by a token without a list of permissions, also deletes what others share",
    ...mine,
    record: 'view',
    status: 204,
    refusals: ['forbidden'],
  },
);
