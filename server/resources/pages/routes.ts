import { shownText } from '../../http/file-answer.ts';
import type { Contents, Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import type { TemplateRenderer } from '../../templates/renderer.ts';
import * as pages from './domain.ts';
import { previewPage } from './preview.ts';

export const pagesRoutes: Handlers = {
  'pages.list': (ctx, { query }) => pages.listPages(ctx, query.search),
  'pages.create': (ctx, { body }) => pages.createPage(ctx, body),
  'pages.get': (ctx, { params }) => pages.getPage(ctx, params.id),
  'pages.update': (ctx, { params, body }) => pages.updatePage(ctx, params.id, body),
  'pages.delete': (ctx, { params }) => pages.deletePage(ctx, params.id),
  'pages.list_translations': (ctx, { params }) => pages.listTranslations(ctx, params.id),
  'pages.replace_translations': (ctx, { params, body }) => pages.replaceTranslations(ctx, params.id, body.entries),
};

/** What a template may do in a browser: look like something. No script, no form, no other page around it. */
const PREVIEW_POLICY =
  "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

export const pagesContents = (services: Services, renderer: TemplateRenderer): Contents => ({
  'pages.preview': async ({ params, query }) => {
    const html = await previewPage(services, renderer, params.id, query.locale);
    return shownText(html, 'text/html; charset=utf-8', { 'Content-Security-Policy': PREVIEW_POLICY });
  },
});
