import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Locale, Preview, TEMPLATE_BODY_LIMIT, TemplateSource } from './pages.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { SourceWarning } from './source-warning.ts';
import { Id, Name, Search, Timestamp } from './values.ts';

/** Path of a template: names of folders and the template, of lower-case letters, digits, dots, hyphens and underscores. */
export const TEMPLATE_PATH = /^[a-z0-9][a-z0-9._-]{0,119}(?:\/[a-z0-9][a-z0-9._-]{0,119}){0,7}$/;

const TemplatePath = z.string().refine((path) => TEMPLATE_PATH.test(path), {
  message: 'must be the path of a template: lower-case letters, digits, dots, hyphens and underscores, in folders of them',
  params: { code: 'invalid_value' },
});

/** Largest total size, in code points, of a theme's templates that belong to no page: a preview loads all of them. */
export const SHARED_TEMPLATES_MAX = 2 * 1024 * 1024;

export const Theme = z.object({ id: Id, name: z.string(), active: z.boolean(), created_at: Timestamp }).meta({ id: 'Theme' });
export type Theme = z.infer<typeof Theme>;

/** A template of a theme, without its source. */
const ThemeTemplateRow = z
  .object({
    path: z
      .string()
      .meta({ description: '`templates/page.<slug>` is the template of that page; other templates are for those to include' }),
    size: z.int().meta({ description: 'Length of its source in characters' }),
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
    response: cursorPageOf(Theme),
  },
  {
    id: 'themes.create',
    method: 'POST',
    path: '/themes',
    undo: 'restore',
    summary: 'Create a theme without templates; it is not active',
    permission: 'admin_api.themes.write',
    body: z.object({ name: Name }),
    status: 201,
    response: Theme,
    location: '/themes/{id}',
    refusals: ['blank', 'too_long'],
  },
  {
    id: 'themes.get',
    method: 'GET',
    path: '/themes/{id}',
    summary: 'Get a theme',
    permission: 'admin_api.themes.read',
    record: 'theme',
    response: Theme,
  },
  {
    id: 'themes.update',
    method: 'PATCH',
    path: '/themes/{id}',
    undo: 'restore',
    summary: 'Rename a theme',
    permission: 'admin_api.themes.write',
    record: 'theme',
    body: z.object({ name: Name.optional() }),
    response: Theme,
    refusals: ['blank', 'too_long', 'precondition_failed'],
  },
  {
    id: 'themes.delete',
    method: 'DELETE',
    path: '/themes/{id}',
    undo: 'restore',
    summary: 'Delete a theme that is not active, with its templates',
    permission: 'admin_api.themes.write',
    record: 'theme',
    status: 204,
    refusals: ['theme_active', 'precondition_failed'],
  },
  {
    id: 'themes.activate',
    method: 'POST',
    path: '/themes/{id}/activate',
    undo: 'restore',
    summary: 'Activate a theme; pages without a template in it get the default template',
    permission: 'admin_api.themes.write',
    record: 'theme',
    response: Theme,
  },
  {
    id: 'themes.list_templates',
    method: 'GET',
    path: '/themes/{id}/templates',
    summary: 'List the templates of a theme by path, without their source',
    permission: 'admin_api.themes.read',
    record: 'theme',
    response: z.array(ThemeTemplateRow),
  },
  {
    id: 'themes.get_template',
    method: 'GET',
    path: '/themes/{id}/templates/{path}',
    summary: 'Get a template of a theme; the path may be sent with its slashes or as one percent-encoded segment',
    permission: 'admin_api.themes.read',
    record: 'theme_template',
    response: ThemeTemplate,
  },
  {
    id: 'themes.save_template',
    method: 'PUT',
    path: '/themes/{id}/templates/{path}',
    undo: 'restore',
    summary: 'Create or replace a template of a theme; `templates/page.<slug>` needs a page with that slug, any other path is free',
    permission: 'admin_api.themes.write',
    record: 'theme_template',
    body: z.object({ content: TemplateSource }),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    response: ThemeTemplate.extend({ warnings: z.array(SourceWarning) }).meta({ id: 'ThemeTemplateSaved' }),
    refusals: ['too_long', 'precondition_failed'],
  },
  {
    id: 'themes.preview',
    method: 'POST',
    path: '/themes/{id}/preview',
    summary:
      'Render a template of a theme, active or not, as it would be with this unsaved content, in the page that it belongs to or in another one. Nothing is stored',
    permission: 'admin_api.themes.read',
    taskPermission: null,
    record: 'theme',
    body: z.object({
      path: TemplatePath,
      content: TemplateSource,
      page_id: Id.nullable()
        .optional()
        .meta({ description: 'The page to show a shared template in; without one, the template is rendered by itself' }),
      locale: Locale.optional(),
    }),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    writes: false,
    response: Preview,
    refusals: ['page_not_found', 'invalid_locale'],
  },
);
