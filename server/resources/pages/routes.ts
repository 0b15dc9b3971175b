import { shownText } from '../../verbs/file-answer.ts';
import { content, type Routes, read, wait, write } from '../../verbs/route.ts';
import { checkTemplate } from '../templates/source.ts';
import * as pages from './domain.ts';
import * as drafts from './drafts.ts';
import { previewDraft, previewPage } from './preview.ts';

/** The browser only displays a preview: its template may not run scripts, send forms, or be framed by other sites. */
const PREVIEW_POLICY =
  "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

export const pagesRoutes = {
  'pages.list': read((ctx, { query }) => pages.listPages(ctx, query.search)),
  'pages.create': write((ctx, { body }) => pages.createPage(ctx, body)),
  'pages.get': read((ctx, { params }) => pages.getPage(ctx, params.id)),
  'pages.update': write((ctx, { params, body }) => pages.updatePage(ctx, params.id, body), { prepare: checkTemplate }),
  'pages.delete': write((ctx, { params }) => pages.deletePage(ctx, params.id)),
  'pages.list_drafts': read((ctx) => drafts.listDrafts(ctx)),
  'pages.get_draft': read((ctx, { params }) => drafts.getDraft(ctx, params.id)),
  'pages.save_draft': write((ctx, { params, body }) => drafts.saveDraft(ctx, params.id, body), { prepare: checkTemplate }),
  'pages.publish_draft': write((ctx, { params }) => drafts.publishDraft(ctx, params.id)),
  'pages.discard_draft': write((ctx, { params }) => drafts.discardDraft(ctx, params.id)),
  'pages.list_translations': read((ctx, { params }) => pages.listTranslations(ctx, params.id)),
  'pages.replace_translations': write((ctx, { params, body }) => pages.replaceTranslations(ctx, params.id, body.entries)),
  'pages.preview': content(async ({ services, params, query }) => {
    const html = await previewPage(services, params.id, query.locale);
    return shownText(html, 'text/html; charset=utf-8', { 'Content-Security-Policy': PREVIEW_POLICY });
  }),
  'pages.preview_draft': wait(({ services, params, body }) => previewDraft(services, params.id, body)),
} satisfies Partial<Routes>;
