import { type Routes, read, wait, write } from '../../verbs/route.ts';
import { checkTemplate } from '../templates/source.ts';
import { previewTemplate } from './preview.ts';
import * as templates from './templates.ts';

export const templatesRoutes = {
  'themes.list_templates': read((ctx, { params }) => templates.listTemplates(ctx, params.id)),
  'themes.get_template': read((ctx, { params }) => templates.getTemplate(ctx, params)),
  'themes.save_template': write((ctx, { params, body }) => templates.saveTemplate(ctx, params, body.content), {
    prepare: checkTemplate,
  }),
  'themes.preview': wait(previewTemplate),
} satisfies Partial<Routes>;
