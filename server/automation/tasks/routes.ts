import type { Services } from '../../services.ts';
import { NOTHING_PREPARED, type Prepared } from '../../verbs/context.ts';
import { type Routes, read, wait, write } from '../../verbs/route.ts';
import { checkDraft } from './check.ts';
import * as tasks from './domain.ts';
import { getVersion } from './versions.ts';

/** Parses and compiles the source. A version is saved whatever its source is; the answer has the warnings. */
const checkSource = async ({ checker }: Services, { source_code: source }: Readonly<Record<string, unknown>>): Promise<Prepared> =>
  typeof source === 'string' ? checker.check(source) : NOTHING_PREPARED;

export const taskRoutes = (listeners: tasks.Listeners) =>
  ({
    'ai_tasks.list': read(tasks.listTasks),
    'ai_tasks.get': read(tasks.getTask),
    'ai_tasks.create': write(tasks.createTask, { prepare: checkSource }),
    'ai_tasks.update': write(tasks.updateTask),
    'ai_tasks.delete': write((ctx, input) => tasks.deleteTask(ctx, input, listeners)),
    'ai_tasks.create_version': write(tasks.createVersion, { prepare: checkSource }),
    'ai_tasks.check_draft': wait(({ services, body }) => checkDraft(services, body)),
    'ai_tasks.get_version': read((ctx, { params }) => getVersion(ctx, params)),
  }) satisfies Partial<Routes>;
