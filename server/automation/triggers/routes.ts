import { type Routes, read, write } from '../../verbs/route.ts';
import * as triggers from './domain.ts';

export const triggersRoutes = {
  'ai_tasks.list_triggers': read((ctx, { params }) => triggers.listTriggers(ctx, params.id)),
  'ai_tasks.create_trigger': write((ctx, { params, body }) => triggers.createTrigger(ctx, params.id, body)),
  'ai_tasks.get_trigger': read((ctx, { params }) => triggers.getTrigger(ctx, params)),
  'ai_tasks.update_trigger': write((ctx, { params, body }) => triggers.updateTrigger(ctx, params, body)),
  'ai_tasks.delete_trigger': write((ctx, { params }) => triggers.deleteTrigger(ctx, params)),
} satisfies Partial<Routes>;
