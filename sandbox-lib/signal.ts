import type { Request } from './admin-api.ts';

/** Makes `signal`. To send one is an ordinary request. */
export function createSignal(
  request: Request,
  taskId: () => number,
): (to: unknown, value?: unknown, options?: unknown) => Promise<unknown> {
  return async (to, value = null, options = {}) => {
    if (typeof to !== 'number' && (typeof to !== 'string' || to === '')) throw new TypeError('signal takes the id of a run or a key');
    if (typeof options !== 'object' || options === null) throw new TypeError('the options of signal are {task, key}');
    const task: unknown = Reflect.get(options, 'task');
    const key: unknown = typeof to === 'string' ? to : Reflect.get(options, 'key');
    const said = { ...(key !== undefined && { key }), value };
    const own = `/ai-tasks/${taskId()}`;
    if (task !== undefined)
      return (await request('POST', '/task-runs/signals', { task, ...(typeof to === 'number' && { run_id: to }), ...said })).body;
    return (await request('POST', typeof to === 'number' ? `${own}/runs/${to}/signals` : `${own}/signals`, said)).body;
  };
}
