import type { Handlers } from '../../http/handlers.ts';
import * as triggers from './domain.ts';

export const triggersRoutes: Handlers = {
  'ai_tasks.list_triggers': (ctx, { params }) => triggers.listTriggers(ctx, params.id),
  'ai_tasks.create_trigger': (ctx, { params, body }) => triggers.createTrigger(ctx, params.id, body),
  'ai_tasks.get_trigger': (ctx, { params }) => triggers.getTrigger(ctx, params),
  'ai_tasks.update_trigger': (ctx, { params, body }) => triggers.updateTrigger(ctx, params, body),
  'ai_tasks.delete_trigger': (ctx, { params }) => triggers.deleteTrigger(ctx, params),
};
