import type { Handlers } from '../../http/handlers.ts';
import * as schedules from './domain.ts';

export const schedulesRoutes: Handlers = {
  'ai_tasks.list_schedules': (ctx, { params }) => schedules.listSchedules(ctx, params.id),
  'ai_tasks.create_schedule': (ctx, { params, body }) => schedules.createSchedule(ctx, params.id, body),
  'ai_tasks.get_schedule': (ctx, { params }) => schedules.getSchedule(ctx, params),
  'ai_tasks.update_schedule': (ctx, { params, body }) => schedules.updateSchedule(ctx, params, body),
  'ai_tasks.delete_schedule': (ctx, { params }) => schedules.deleteSchedule(ctx, params),
  'ai_tasks.list_upcoming': (ctx, { params, query }) => schedules.listUpcoming(ctx, params, query.count),
};
