import type { Request } from './admin-api.ts';

/** Makes `tasks`, whose calls are ordinary requests: the server knows which tasks the version may start. */
export function createTasks(request: Request): object {
  return Object.freeze({
    async start(task: unknown, parameters: unknown = {}) {
      if (typeof task !== 'string' && typeof task !== 'number') throw new TypeError('tasks.start takes the name or the id of a task');
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
        throw new TypeError('the parameters of a task must be an object');
      return (await request('POST', '/task-runs', { task, parameters })).body;
    },
  });
}
