import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { SourceWarning } from './source-warning.ts';
import { Id, Name, Search, Timestamp, text } from './values.ts';

const PAGE_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

/** A slug that does not match is refused, never corrected (spec P2). */
export const PageSlug = z
  .string()
  .refine((slug) => PAGE_SLUG.test(slug), {
    message: 'must be 1 to 100 lower-case letters, digits and hyphens, without a hyphen at either end',
    params: { code: 'slug_invalid' },
  })
  .meta({ minLength: 1, maxLength: 100 });

/** Largest template source, in code points (spec G19). */
export const PAGE_CONTENT_MAX = 512 * 1024;
export const TemplateSource = text({ max: PAGE_CONTENT_MAX });
/** Largest request body with a template, in bytes (spec G5). */
export const TEMPLATE_BODY_LIMIT = 4 * 1024 * 1024;

export const PageSummary = z
  .object({
    id: Id,
    slug: z.string(),
    title: z.string(),
    published: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'PageSummary' });
export type PageSummary = z.infer<typeof PageSummary>;

export const PageDetail = PageSummary.extend({
  meta_title: z.string(),
  meta_description: z.string(),
  og_image_media_id: Id.nullable(),
  og_image_url: z.string().nullable(),
  content: z.string(),
}).meta({ id: 'PageDetail' });
export type PageDetail = z.infer<typeof PageDetail>;

export const PageSaved = PageSummary.extend({
  warnings: z.array(SourceWarning).meta({ description: 'Faults of the template that was sent; the template is saved anyway' }),
}).meta({ id: 'PageSaved' });
export type PageSaved = z.infer<typeof PageSaved>;

/** A page with its draft, as it would be if the draft were published now. */
export const PageDraft = PageDetail.extend({
  draft_updated_at: Timestamp.nullable().meta({
    description: 'When the draft was saved; null: there is none, and this is the page itself',
  }),
}).meta({ id: 'PageDraft' });
export type PageDraft = z.infer<typeof PageDraft>;

const PageDraftSaved = z
  .object({
    page_id: Id,
    draft_updated_at: Timestamp.nullable().meta({ description: 'null: what was sent is what the page has already, so there is no draft' }),
    warnings: PageSaved.shape.warnings,
  })
  .meta({ id: 'PageDraftSaved' });

const PageDraftRow = z.object({ page_id: Id, updated_at: Timestamp }).meta({ id: 'PageDraftRow' });

/** A page or template as it would be shown. A template with faults is no refusal, because its author is still writing it. */
export const Preview = z
  .object({
    html: z.string().nullable().meta({ description: 'null: the template cannot be rendered' }),
    errors: z
      .array(
        SourceWarning.extend({
          template: z
            .string()
            .nullable()
            .meta({ description: 'Path of the other template of the theme that has the fault; null: it is in the template that was sent' }),
        }),
      )
      .meta({ description: 'Faults of the template, at most 21; one of those that do not end the rendering may stand beside `html`' }),
  })
  .meta({ id: 'Preview' });
export type Preview = z.infer<typeof Preview>;

export const translationFields = ['meta_title', 'meta_description'] as const;

/** A BCP 47 language tag, normalised to its canonical form (spec P10). */
export const Locale = z
  .string()
  .max(100)
  .transform((value, ctx) => {
    try {
      const [canonical] = Intl.getCanonicalLocales(value);
      if (canonical !== undefined) return canonical;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    ctx.issues.push({ code: 'custom', input: value, message: 'must be a BCP 47 locale such as de-AT', params: { code: 'invalid_locale' } });
    return z.NEVER;
  });

const TranslationInput = z.object({
  field: z.enum(translationFields),
  locale: Locale,
  value: text({ max: 1000 }),
});

export const PageTranslation = z
  .object({ field: z.enum(translationFields), locale: z.string(), value: z.string() })
  .meta({ id: 'PageTranslation' });
export type PageTranslation = z.infer<typeof PageTranslation>;

const metadata = {
  meta_title: text().nullable().optional(),
  meta_description: text().nullable().optional(),
  og_image_media_id: Id.nullable().optional(),
};
const draftable = { title: Name.optional(), content: TemplateSource.optional(), ...metadata };

export const pagesEndpoints = endpointsOf(
  {
    id: 'pages.list',
    method: 'GET',
    path: '/pages',
    summary: 'List pages by title',
    permission: 'admin_api.pages.read',
    query: z.object({ search: Search.optional() }),
    response: z.array(PageSummary),
  },
  {
    id: 'pages.create',
    method: 'POST',
    path: '/pages',
    undo: 'restore',
    summary: 'Create a page with a default template in the active theme',
    permission: 'admin_api.pages.write',
    body: z.object({ slug: PageSlug, title: Name, ...metadata }),
    status: 201,
    response: PageSummary,
    location: '/pages/{id}',
    refusals: ['slug_invalid', 'slug_taken', 'media_not_found'],
  },
  {
    id: 'pages.get',
    method: 'GET',
    path: '/pages/{id}',
    summary: 'Get a page with its template of the active theme',
    permission: 'admin_api.pages.read',
    record: 'page',
    response: PageDetail,
  },
  {
    id: 'pages.update',
    method: 'PUT',
    path: '/pages/{id}',
    undo: 'restore',
    summary: 'Change a page; omitted fields keep their values',
    permission: 'admin_api.pages.write',
    record: 'page',
    body: z.object({
      slug: PageSlug.optional(),
      title: Name.optional(),
      published: z.boolean().optional(),
      content: TemplateSource.optional(),
      ...metadata,
    }),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    response: PageSaved,
    refusals: ['slug_invalid', 'slug_taken', 'media_not_found', 'precondition_failed'],
  },
  {
    id: 'pages.delete',
    method: 'DELETE',
    path: '/pages/{id}',
    undo: 'restore',
    summary: 'Delete a page and its templates in all themes',
    permission: 'admin_api.pages.write',
    record: 'page',
    status: 204,
    refusals: ['precondition_failed'],
  },
  {
    id: 'pages.list_drafts',
    method: 'GET',
    path: '/page-drafts',
    summary: 'List which pages have a draft in the active theme',
    permission: 'admin_api.pages.read',
    response: z.array(PageDraftRow),
  },
  {
    id: 'pages.get_draft',
    method: 'GET',
    path: '/pages/{id}/draft',
    summary: 'Get a page as it would be with its draft published',
    permission: 'admin_api.pages.read',
    record: 'page',
    response: PageDraft,
  },
  {
    id: 'pages.save_draft',
    method: 'PUT',
    path: '/pages/{id}/draft',
    undo: 'restore',
    summary: 'Change the draft of a page, which nobody is shown before it is published; omitted fields stay as in the draft',
    permission: 'admin_api.pages.write',
    record: 'page',
    body: z.object(draftable),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    response: PageDraftSaved,
    refusals: ['media_not_found', 'precondition_failed'],
  },
  {
    id: 'pages.publish_draft',
    method: 'POST',
    path: '/pages/{id}/draft/publish',
    undo: 'restore',
    summary: 'Put what the draft changes into the page, at once; whether the page is published stays',
    permission: 'admin_api.pages.write',
    record: 'page',
    response: PageSummary,
    refusals: ['no_draft', 'media_not_found', 'precondition_failed'],
  },
  {
    id: 'pages.discard_draft',
    method: 'DELETE',
    path: '/pages/{id}/draft',
    undo: 'restore',
    summary: 'Discard the draft of a page; the page stays as it is',
    permission: 'admin_api.pages.write',
    record: 'page',
    status: 204,
    refusals: ['no_draft', 'precondition_failed'],
  },
  {
    id: 'pages.preview',
    method: 'GET',
    path: '/pages/{id}/preview',
    summary: 'Render a page, published or not, as HTML with its template of the active theme',
    permission: 'admin_api.pages.read',
    taskPermission: null,
    record: 'page',
    query: z.object({ locale: Locale.optional() }),
    binary: true,
    contentType: 'text/html',
    refusals: ['invalid_locale', 'template_invalid'],
  },
  {
    id: 'pages.preview_draft',
    method: 'POST',
    path: '/pages/{id}/preview',
    summary: 'Render a page as it would be with these unsaved values; omitted ones are as saved. Nothing is stored',
    permission: 'admin_api.pages.read',
    taskPermission: null,
    record: 'page',
    body: z.object({ title: text().optional(), content: TemplateSource.optional(), ...metadata, locale: Locale.optional() }),
    bodyLimitBytes: TEMPLATE_BODY_LIMIT,
    writes: false,
    response: Preview,
    refusals: ['invalid_locale', 'media_not_found'],
  },
  {
    id: 'pages.list_translations',
    method: 'GET',
    path: '/pages/{id}/translations',
    summary: 'List the translations of the metadata, by field and locale',
    permission: 'admin_api.pages.read',
    record: 'page',
    response: z.array(PageTranslation),
  },
  {
    id: 'pages.replace_translations',
    method: 'PUT',
    path: '/pages/{id}/translations',
    undo: 'restore',
    summary: 'Replace the whole set of translations',
    permission: 'admin_api.pages.write',
    record: 'page',
    body: z.object({
      entries: z
        .array(TranslationInput)
        .max(500)
        .superRefine((entries, ctx) => {
          const seen = new Set<string>();
          entries.forEach(({ field, locale }, index) => {
            const key = `${field} ${locale}`;
            if (seen.has(key)) {
              ctx.addIssue({
                code: 'custom',
                path: [index],
                message: `${field} in ${locale} is given twice`,
                params: { code: 'duplicate' },
              });
            }
            seen.add(key);
          });
        }),
    }),
    status: 204,
    refusals: ['invalid_enum', 'invalid_locale', 'duplicate'],
  },
);
