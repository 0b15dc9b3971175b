import { type Routes, read, wait, write } from '../../verbs/route.ts';
import { checkDraft } from './check.ts';
import * as tasks from './domain.ts';
import { prepareSource } from './prepare.ts';
import { shownVersion } from './versions.ts';

export const taskRoutes = (listeners: tasks.Listeners) =>
  ({
    'ai_tasks.list': read(tasks.listTasks),
    'ai_tasks.get': read(tasks.getTask),
    'ai_tasks.create': write((ctx, input) => tasks.createTask(ctx, input, listeners), { prepare: prepareSource }),
    'ai_tasks.update': write(tasks.updateTask),
    'ai_tasks.delete': write((ctx, input) => tasks.deleteTask(ctx, input, listeners)),
    'ai_tasks.create_version': write((ctx, input) => tasks.createVersion(ctx, input, listeners), { prepare: prepareSource }),
    'ai_tasks.check_draft': wait(({ services, body }) => checkDraft(services, body)),
    'ai_tasks.get_version': read((ctx, { params }) => shownVersion.ofAnswer(ctx, params)),
  }) satisfies Partial<Routes>;
