import type { BodyOf, InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { RUNNER_PERMISSION } from '../../../contract/permissions.ts';
import { authenticate, noteUse } from '../../resources/tokens/domain.ts';
import type { Services } from '../../services.ts';
import { type Ctx, may } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { appendRunEvents } from '../runs/life/events.ts';
import { claimWhenOpen } from './domain.ts';

type End = Endpoints['runner.end'];

/** Ends the run of the report token. The stored answer leaves out the claims, so that no token of a run is ever stored. */
export async function reportEnd(ctx: Ctx, { params, query, body }: InputOf<End>): Promise<ResponseOf<End>> {
  if (ctx.actor.type !== 'task') throw new Refusal('forbidden', 'Only the runner of a run can end it so; use the report token of a claim.');
  if (body.events.at(-1)?.kind !== 'finalize') throw refuseValue('invalid_value', '/events', 'the last event must be finalize');
  await appendRunEvents(ctx, { params: { ...params, id: ctx.actor.taskId }, query, body });
  return { claims: [] };
}

/**
 * Claims the next run where the runner's own token may claim. The claim is like any other: if the answer is lost, the claim is never
 * confirmed, and the run is offered again. The end counts in any case, so a failure is only logged; the runner then asks in the usual way.
 */
export async function claimNext({ services, body: { next } }: { services: Services; body: BodyOf<End> }): Promise<ResponseOf<End>> {
  try {
    if (!(await mayClaim(services, next.token))) return { claims: [] };
    return await claimWhenOpen({ services, body: { runner: next.runner, slots: 1, wait_ms: 0 }, until: services.stopping });
  } catch (err) {
    services.log.warn({ err }, 'the end of a run was stored, but no next run could be claimed with it');
    return { claims: [] };
  }
}

async function mayClaim(services: Services, token: string): Promise<boolean> {
  const now = new Date().toISOString();
  const found = await authenticate(services.store.reader, token, now);
  if (found.outcome !== 'ok' || !may(found.actor, RUNNER_PERMISSION)) return false;
  noteUse(services, found, now);
  return true;
}
