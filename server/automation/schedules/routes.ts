import { type Routes, read, write } from '../../verbs/route.ts';
import * as schedules from './domain.ts';

export const schedulesRoutes = {
  'ai_tasks.list_schedules': read((ctx, { params }) => schedules.listSchedules(ctx, params.id)),
  'ai_tasks.create_schedule': write((ctx, { params, body }) => schedules.createSchedule(ctx, params.id, body)),
  'ai_tasks.get_schedule': read((ctx, { params }) => schedules.getSchedule(ctx, params)),
  'ai_tasks.update_schedule': write((ctx, { params, body }) => schedules.updateSchedule(ctx, params, body)),
  'ai_tasks.delete_schedule': write((ctx, { params }) => schedules.deleteSchedule(ctx, params)),
  'ai_tasks.list_upcoming': read((ctx, { params, query }) => schedules.listUpcoming(ctx, params, query.count)),
  'ai_tasks.preview_schedule': read((ctx, { params, query }) => schedules.previewSchedule(ctx, params.id, query)),
} satisfies Partial<Routes>;
