import { hasBody } from '../../contract/endpoint.ts';
import { Refusal } from '../verbs/problem.ts';
import type { AnyRoute } from '../verbs/route.ts';
import { type Answer, type Call, type Executor, NO_BODY, type RequestBody } from './call.ts';
import { isHeavy, makeCall } from './made-call.ts';
import { checkPermission } from './permission.ts';
import { shownTo } from './personal-data.ts';
import { executeSteps } from './steps/steps.ts';
import { checkIds } from './verb/record-etags.ts';

/** A request that a part of the server makes for an actor: `path` is below /admin/api, with its query. */
export type InsideRequest = Pick<Call, 'actor' | 'requestId' | 'ip'> & { method: string; path: string; body?: Record<string, unknown> };

/** Carries out a read or a write as a request of the actor would be: the same checks, in the same order. Throws the refusal. */
export async function requestInside(executor: Executor, asked: InsideRequest): Promise<Answer> {
  const { method, path, actor, requestId, ip } = asked;
  const found = executor.find(method, path.split('?', 1)[0] ?? '');
  if (!found) throw new Refusal('route_not_found', `No endpoint has the path ${method} ${path}.`);
  const { target, params } = found;
  const permission = checkPermission(target.endpoint, actor, params);
  checkIds(params);
  const body = hasBody(target.endpoint) ? bodyOf(asked.body ?? {}) : NO_BODY;
  const call = makeCall(target, { permission, params, body, actor, requestId, ip, target: path, header: () => undefined });
  const answer = await carryOut(executor, call, target.route);
  for (const work of answer.after) work();
  return shownTo(call, answer);
}

async function carryOut(executor: Executor, call: Call, route: AnyRoute): Promise<Answer> {
  if (route.kind === 'read') return executor.execute({ ...call, verb: route.verb, isHeavy: isHeavy(call, route.isHeavy) });
  if (route.kind === 'wait' && call.endpoint.record === undefined) return waitFor(executor, call, route);
  if (route.kind === 'steps') return executeSteps(executor, call, route);
  if (route.kind !== 'write') throw new Refusal('forbidden', `${call.endpoint.id} cannot be called in this way.`);
  const prepared = (await route.prepare?.(executor.services, call.body.value)) ?? call.prepared;
  return executor.execute({ ...call, prepared, verb: route.verb, isHeavy: false });
}

async function waitFor({ services }: Executor, call: Call, route: Extract<AnyRoute, { kind: 'wait' }>): Promise<Answer> {
  const { actor, params, endpoint } = call;
  const told = await route.wait({ services, actor, params, body: call.values(call.body.value), until: services.stopping });
  return { status: endpoint.status, headers: {}, body: JSON.stringify(told), replayed: false, at: new Date().toISOString(), after: [] };
}

function bodyOf(value: Record<string, unknown>): RequestBody {
  return { raw: Buffer.from(JSON.stringify(value)), value, numbers: [] };
}
