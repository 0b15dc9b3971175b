import type { Handlers } from '../../http/handlers.ts';
import * as tasks from './domain.ts';
import { getVersion } from './versions.ts';

export const taskRoutes: Handlers = {
  'ai_tasks.list': tasks.listTasks,
  'ai_tasks.get': tasks.getTask,
  'ai_tasks.create': tasks.createTask,
  'ai_tasks.update': tasks.updateTask,
  'ai_tasks.delete': tasks.deleteTask,
  'ai_tasks.create_version': tasks.createVersion,
  'ai_tasks.get_version': (ctx, { params }) => getVersion(ctx, params),
};
