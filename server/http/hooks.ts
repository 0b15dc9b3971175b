import type { Router } from '@koa/router';
import { PREFIX } from '../../contract/endpoint.ts';
import { type HookAnswer, MAX_WAIT_SECONDS } from '../../contract/hooks.ts';
import { timeOf } from '../automation/gathered-starts/domain.ts';
import {
  awaitResult,
  type CalledHook,
  checkSignature,
  findCalled,
  type HookCall,
  noteRejected,
  openCalled,
  requireSignature,
} from '../automation/hooks/calling.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';
import { contentOf } from './hook-content.ts';
import { countRequest } from './rate-limit.ts';
import { sendText } from './send.ts';
import { unprovenBodies } from './unproven-bodies.ts';
import { headerOf, type Wire, type WireState } from './wire.ts';

/** Each rejected call leaves a line in the log, and anybody who knows the address can send one. */
const REJECTED_PER_MINUTE = 60;
const ABOUT_SIGNATURES: ReadonlySet<string> = new Set(['hook_signature_invalid', 'secret_unreadable']);
const MAX_WAITING = 64;
/** What the headers call both limits. */
const NAME = 'hooks';

/** Takes calls of hooks at `/hooks/<id>/<secret>`, the addresses that other systems call to start a task. */
export function addHooks(router: Router<WireState>, services: Services): void {
  const read = unprovenBodies();
  const rejected = { name: NAME, limiter: services.rateLimits.limiter('rejected hooks'), perMinute: REJECTED_PER_MINUTE };
  const calls = services.rateLimits.limiter('hooks');
  let waiting = 0;

  async function genuineBody(ctx: Wire, hook: CalledHook, header: HookCall['header']): Promise<Buffer> {
    try {
      requireSignature(hook, header);
      const body = await read(ctx);
      checkSignature(services, hook, { header, body });
      return body;
    } catch (error) {
      if (!(error instanceof Refusal && ABOUT_SIGNATURES.has(error.code))) throw error;
      const { ip, requestId } = ctx.state;
      countRequest(ctx, rejected, `${hook.id} ${ip}`);
      await noteRejected(services, hook, { ip, requestId }, error);
      throw error;
    }
  }

  async function resultOf(ctx: Wire, hook: CalledHook, runId: number) {
    const seconds = hook.wait === 1 ? wantedWait(headerOf(ctx, 'prefer')) : 0;
    if (seconds === 0 || waiting >= MAX_WAITING) return null;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    ctx.res.once('close', leave);
    waiting += 1;
    try {
      return await awaitResult(services, hook, runId, { seconds, until: AbortSignal.any([gone.signal, services.stopping]) });
    } finally {
      waiting -= 1;
      ctx.res.off('close', leave);
    }
  }

  router.post('/hooks/:id/:secret', async (ctx) => {
    ctx.state.answeredBy = 'hooks.call';
    const [id = '', secret = ''] = ctx.captures ?? [];
    const hook = await findCalled(services, /^\d{1,15}$/.test(id) ? Number(id) : 0, secret);
    const header = (name: string) => headerOf(ctx, name.toLowerCase());
    const body = await genuineBody(ctx, hook, header);
    countRequest(ctx, { name: NAME, limiter: calls, perMinute: hook.rate_per_minute }, String(hook.id));
    const content = hook.parameter === null ? {} : contentOf({ header, querystring: ctx.querystring }, body, hook);
    const { requestId, ip } = ctx.state;
    const called = await openCalled(services, hook, { header, body, requestId, ip }, content);
    if (!('runId' in called)) {
      const gathered: HookAnswer = { run_id: null, gathered: true, start_id: called.startId, due_at: timeOf(called.dueMs) };
      sendText(ctx, 202, JSON.stringify(gathered));
      return;
    }
    const { runId } = called;
    ctx.set('Location', `${PREFIX}/ai-tasks/${hook.task_id}/runs/${runId}`);
    const result = await resultOf(ctx, hook, runId);
    sendText(ctx, result ? 200 : 202, JSON.stringify(result ?? { run_id: runId }));
  });
}

/** The seconds that the caller wants to wait: `Prefer: wait=5` asks for fewer than the most (RFC 7240). */
function wantedWait(prefer = ''): number {
  const wanted = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer)?.[1];
  return wanted === undefined ? MAX_WAIT_SECONDS : Math.min(Number(wanted), MAX_WAIT_SECONDS);
}
