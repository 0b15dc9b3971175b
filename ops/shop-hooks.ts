import { HOOK_EVENT } from '../contract/wait-rules.ts';
import type { HookEvent } from '../sandbox-lib/testing.ts';
import { openCalled } from '../server/automation/hooks/calling.ts';
import { contentOf } from '../server/http/hook-content.ts';
import type { Services } from '../server/services.ts';

/** Calls of hooks in the shop of a test: what the server does once it has checked the address and the signature. */

export function isHookCall(event: { type: string }): event is HookEvent {
  return event.type.startsWith(HOOK_EVENT);
}

export async function callHook(services: Services, taskId: number, { type, data }: HookEvent): Promise<void> {
  const name = type.slice(HOOK_EVENT.length);
  const hooks = await services.store.reader.selectFrom('hooks').selectAll().where('task_id', '=', taskId).execute();
  const hook = hooks.find((one) => one.name === name && one.enabled === 1);
  if (!hook) {
    const known = hooks.map((one) => one.name).join(', ') || 'none';
    throw new TypeError(
      `the task has no open hook "${name}"; it has ${known}: shop.admin.ai_tasks.create_hook(await shop.task(), …) makes one`,
    );
  }
  const { body = null, headers = {}, query = {} } = data;
  const told = new Map(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
  if (!told.has('content-type')) told.set('content-type', typeof body === 'string' ? 'text/plain' : 'application/json');
  const header = (one: string): string | undefined => told.get(one.toLowerCase());
  const bytes = Buffer.from(body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  const content = hook.parameter === null ? {} : contentOf({ header, querystring: new URLSearchParams(query).toString() }, bytes, hook);
  await openCalled(services, hook, { header, body: bytes, requestId: 'test', ip: '127.0.0.1' }, content);
}
