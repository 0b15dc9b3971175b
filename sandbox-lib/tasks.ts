import type { Request } from './admin-api.ts';
import type { Calls } from './calls.ts';
import { toJson } from './json.ts';

const SAMPLE_MAX_BYTES = 64 * 1024;

type Started = { run_id: number; task_id: number };
/** Where the options of a start may have it wait. */
type Gathered = { run_id: number | null; task_id: number; start_id?: number | null; due_at?: string | null };
type End = { status: string; end_reason: string | null; error_message: string | null; result: unknown };

/** Makes `tasks`. To start one is an ordinary request: the server knows which tasks the version may start. */
export function createTasks(request: Request, calls: Calls): object {
  const ask = async (name: string, task: unknown, parameters: unknown, options?: object): Promise<unknown> => {
    if (typeof task !== 'string' && typeof task !== 'number') throw new TypeError(`${name} takes the name or the id of a task`);
    if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
      throw new TypeError('the parameters of a task must be an object');
    return (await request('POST', '/task-runs', { task, parameters, ...(options === undefined ? {} : { start: options }) })).body;
  };
  return Object.freeze({
    async start(task: unknown, parameters: unknown = {}, options: unknown = undefined): Promise<Gathered> {
      if (options !== undefined && (typeof options !== 'object' || options === null))
        throw new TypeError('the options of tasks.start are {debounce, batch, delay, ttl, rate}');
      // The answer of this endpoint has this type.
      return (await ask('tasks.start', task, parameters, options)) as Gathered;
    },
    async run(task: unknown, parameters: unknown = {}, options: unknown = {}) {
      if (typeof options !== 'object' || options === null) throw new TypeError('the options of tasks.run are {sample}');
      const sample: unknown = Reflect.get(options, 'sample');
      const given = sample === undefined ? '' : `,"sample":${toJson(sample, 'a sample', SAMPLE_MAX_BYTES)}`;
      // Without options, the run is open.
      const started = (await ask('tasks.run', task, parameters)) as Started;
      const end: End = JSON.parse(await calls.call('task_end', `{"run_id":${started.run_id}${given}}`));
      if (end.status === 'success') return end.result;
      throw badEnd(started, end);
    },
  });
}

function badEnd({ run_id, task_id }: Started, { status, end_reason, error_message }: End): Error {
  // The lines after the first one tell where in the other script it was thrown.
  const why = error_message?.split('\n', 1)[0] ?? end_reason ?? 'it gave no reason';
  const error = new Error(`run ${run_id} of task ${task_id} ended ${status}: ${why}`);
  return Object.assign(error, { name: 'TaskRunError', run_id, task_id, status, end_reason });
}
