import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { TEMPLATE_BODY_LIMIT, TemplateSource } from './pages.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { SourceWarning } from './source-warning.ts';
import { Id, Name, Search, Timestamp } from './values.ts';

/** Names of a template and its folders: lower-case letters, digits, dots, hyphens and underscores. */
export const TEMPLATE_PATH = /^[a-z0-9][a-z0-9._-]{0,119}(?:\/[a-z0-9][a-z0-9._-]{0,119}){0,7}$/;

/** Templates of one theme that belong to no page, in code points all together: a preview has them all at hand. */
export const SHARED_TEMPLATES_MAX = 2 * 1024 * 1024;

export const Theme = z.object({ id: Id, name: z.string(), active: z.boolean(), created_at: Timestamp }).meta({ id: 'Theme' });
export type Theme = z.infer<typeof Theme>;

/** A theme's template without its source. */
const ThemeTemplateRow = z
  .object({
    path: z.string().meta({ description: '`templates/page.<slug>` shows that page; others are for them to use' }),
    size: z.int().meta({ description: 'Characters of its source' }),
    updated_at: Timestamp,
  })
  .meta({ id: 'ThemeTemplateRow' });
export type ThemeTemplateRow = z.infer<typeof ThemeTemplateRow>;

export const ThemeTemplate = z.object({ path: z.string(), content: z.string(), updated_at: Timestamp }).meta({ id: 'ThemeTemplate' });
export type ThemeTemplate = z.infer<typeof ThemeTemplate>;

export const themesEndpoints = endpointsOf(
  {
    id: 'themes.list',
    method: 'GET',
    path: '/themes',
    summary: 'List themes by name',
    permission: 'admin_api.themes.read',
    query: cursorQuery({ search: Search.optional() }),
    status: 200,
    response: cursorPageOf(Theme),
    added: true,
  },
  {
    id: 'themes.create',
    method: 'POST',
    path: '/themes',
    summary: 'Create a theme without templates; it is not active',
    permission: 'admin_api.themes.write',
    body: z.object({ name: Name }),
    status: 201,
    response: Theme,
    location: '/themes/{id}',
    refusals: ['blank', 'too_long'],
    added: true,
  },
  {
    id: 'themes.get',
    method: 'GET',
    path: '/themes/{id}',
    summary: 'A theme',
    permission: 'admin_api.themes.read',
    record: 'theme',
    status: 200,
    response: Theme,
    added: true,
  },
  {
    id: 'themes.update',
    method: 'PATCH',
    path: '/themes/{id}',
    summary: 'Rename a theme',
    permission: 'admin_api.themes.write',
    record: 'theme',
    body: z.object({ name: Name.optional() }),
    status: 200,
    response: Theme,
    refusals: ['blank', 'too_long', 'precondition_failed'],
    added: true,
  },
  {
    id: 'themes.delete',
    method: 'DELETE',
    path: '/themes/{id}',
    summary: 'Delete a theme that is not active, with its templates',
    permission: 'admin_api.themes.write',
    record: 'theme',
    status: 204,
    refusals: ['theme_active', 'precondition_failed'],
    added: true,
  },
  {
    id: 'themes.activate',
    method: 'POST',
    path: '/themes/{id}/activate',
    summary: 'Show the shop in this theme; pages that it has no template for get the default one',
    permission: 'admin_api.themes.write',
    record: 'theme',
    status: 200,
    response: Theme,
    added: true,
  },
  {
    id: 'themes.list_templates',
    method: 'GET',
    path: '/themes/{id}/templates',
    summary: 'Templates of a theme by path, without their source',
    permission: 'admin_api.themes.read',
    record: 'theme',
    status: 200,
    response: z.array(ThemeTemplateRow),
    added: true,
  },
  {
    id: 'themes.get_template',
    method: 'GET',
    path: '/themes/{id}/templates/{path}',
    summary: 'A template of a theme; the path may be sent with its slashes or as one percent-encoded segment',
    permission: 'admin_api.themes.read',
    record: 'theme_template',
    status: 200,
    response: ThemeTemplate,
    added: true,
  },
  {
    id: 'themes.save_template',
    method: 'PUT',
    path: '/themes/{id}/templates/{path}',
    summary: 'Write a template of a theme; `templates/page.<slug>` where there is such a page, any other as the theme needs it',
    permission: 'admin_api.themes.write',
    record: 'theme_template',
    body: z.object({ content: TemplateSource }),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    status: 200,
    response: ThemeTemplate.extend({ warnings: z.array(SourceWarning) }).meta({ id: 'ThemeTemplateSaved' }),
    refusals: ['too_long', 'precondition_failed'],
    added: true,
  },
);
