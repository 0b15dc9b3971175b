import type { Handlers } from '../../http/handlers.ts';
import * as templates from './templates.ts';

export const templatesRoutes: Handlers = {
  'themes.list_templates': (ctx, { params }) => templates.listTemplates(ctx, params.id),
  'themes.get_template': (ctx, { params }) => templates.getTemplate(ctx, params),
  'themes.save_template': (ctx, { params, body }) => templates.saveTemplate(ctx, params, body.content),
};
