import { z } from 'zod';
import type { Problem } from '../contract/errors.ts';
import { HTTP_SEND_MAX_BYTES, httpEndpoints } from '../contract/http.ts';
import { llmEndpoints } from '../contract/llm.ts';
import type { JsonObject } from '../contract/run-events.ts';
import { pathProblem, ScriptPath } from './api-path.ts';
import { calledRequest } from './called-request.ts';
import type { ReportTarget, ScriptCall } from './claim-clients.ts';
import { type CallTime, monotonicMs } from './monotonic.ts';
import { ParsedJson } from './parsed-json.ts';
import { type Answer, type BudgetName, failure, isClaimOver, type RunContext } from './run-context.ts';
import type { LoggedCall } from './run-log.ts';
import { ANSWER_MAX_BYTES, type Answered, AnswerTooLarge, mismatchMessage, problemOf, type Reply } from './server-client.ts';

export const AdminApiPayload = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Relative to /admin/api, including the query. */
  path: z.string().max(8192),
  body: ParsedJson.optional(),
});
type AdminCall = z.infer<typeof AdminApiPayload>;

const BODY_MAX_BYTES = 1024 * 1024;

/** Sends a script's call to the server; null when the run has ended meanwhile. The caller has reserved the budgets. */
export async function callAdminApi(
  run: RunContext,
  call: AdminCall,
  { turn, key }: { turn: CallTurn; key: () => string },
): Promise<Answer | null> {
  const prepared = prepareSafely(call, key);
  if ('answer' in prepared) {
    settleCall(run, call, 'refunded', 'refunded');
    return prepared.answer;
  }
  const { epoch } = run.keys;
  const began = monotonicMs();
  let reply: Answered | null;
  try {
    reply = await callUntilMatched(run, prepared.call, turn);
  } catch (error) {
    // The server carried the call out, but the script does not get the answer.
    settleCall(run, call, 'spent', 'spent');
    if (error instanceof AnswerTooLarge) return failure(`the answer is larger than ${ANSWER_MAX_BYTES} bytes`);
    throw error;
  }
  if (reply === null || !run.alive()) return null;
  // After a retry, a replayed answer may belong to this call's own first sending, which took effect; so the call counts.
  const isReplay = reply.replayed && reply.attempts === 1;
  const tookEffect = reply.status < 300 && !isReplay;
  settleCall(run, call, isReplay ? 'refunded' : 'spent', tookEffect ? 'spent' : 'refunded');
  return answerOf(run, call, reply, { began_ms: began, duration_ms: monotonicMs() - began, epoch });
}

/** The turn of a call among the run's concurrent calls, with its slot and the budget units that it has reserved. */
export type CallTurn = {
  /**
   * Called when the server found another write where this one is made: gives up the slot and the units, since another call may wait for
   * them, until that may have changed. False: the script makes a different write than the earlier attempt.
   */
  passOn(): Promise<boolean>;
  /** Takes a slot and the units again as soon as they are free; false when the run has ended. */
  retake(): Promise<boolean>;
};

/**
 * Sends a call, and again after a `resume_mismatch` that another call of the run may still resolve: of concurrent writes to one path, a new
 * one may reach the server before the one that repeats the earlier attempt's write.
 */
async function callUntilMatched(run: RunContext, call: ScriptCall, turn: CallTurn): Promise<Answered | null> {
  for (;;) {
    const reply = await run.calls.untilAnswered(call, run.alive);
    if (reply?.status !== 409 || problemOf(reply)?.code !== 'resume_mismatch') return reply;
    const again = await turn.passOn();
    if (!(await turn.retake())) return null;
    if (!again) return reply;
  }
}

/** Calls that are no writes, although they have a body: they change nothing. An LLM completion has its own budget. */
const readingPaths: ReadonlySet<string> = new Set([llmEndpoints['llm.complete'].path, httpEndpoints['http.fetch'].path]);

/** The budgets that the call reserves from. */
export function costsOf({ method, path }: AdminCall): readonly BudgetName[] {
  return method === 'GET' || readingPaths.has(path) ? ['host_calls'] : ['host_calls', 'writes'];
}

/** A body that is nested too deeply is an error of the script, not of the runner. */
function prepareSafely(call: AdminCall, key: () => string): ReturnType<typeof prepare> {
  try {
    return prepare(call, key);
  } catch (error) {
    if (error instanceof RangeError) return { answer: failure(`${call.method} ${call.path.slice(0, 200)}: ${error.message}`) };
    throw error;
  }
}

function prepare({ method, path, body }: AdminCall, key: () => string): { call: ScriptCall } | { answer: Answer } {
  const problem = pathProblem(path) ?? (method === 'GET' && body !== undefined ? 'GET takes no body' : null);
  if (problem !== null) return { answer: failure(`${method} ${path.slice(0, 200)}: ${problem}`) };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const most = path === httpEndpoints['http.send'].path ? HTTP_SEND_MAX_BYTES : BODY_MAX_BYTES;
  if (text !== undefined && Buffer.byteLength(text) > most) return { answer: failure(`the body is larger than ${most} bytes`) };
  return { call: { method, path: new ScriptPath(path), idempotencyKey: key(), ...(text !== undefined && { body: text }) } };
}

function settleCall(run: RunContext, call: AdminCall, hostCalls: 'spent' | 'refunded', writes: 'spent' | 'refunded'): void {
  for (const name of costsOf(call)) run.budgets[name].settle(name === 'writes' ? writes : hostCalls);
}

function answerOf(run: RunContext, call: AdminCall, reply: Answered, time: CallTime): Answer | null {
  const { method, path } = call;
  const { status, text } = reply;
  const line: LoggedCall = { method, path, status, request: calledRequest(call, reply), time };
  if (status < 400) {
    const body = text === '' ? 'null' : reply.isJson ? text : JSON.stringify(text);
    return { value: `{"status":${status},"body":${body}}`, movesTo: reply.timeMs, line };
  }
  const problem = problemOf(reply);
  if (isClaimOver(run, reply, problem)) return null;
  if (problem?.code === 'not_in_recording') return { unanswered: problem.detail };
  if (endsRun(run, problem)) {
    run.log.adminApi(line);
    return null;
  }
  return { error: errorOf(`${method} ${path}`, status, problem), movesTo: reply.timeMs, line };
}

/** Ends the run where the refusal tells that it must. */
function endsRun(run: RunContext, problem: Problem | null): boolean {
  if (problem?.code === 'resume_mismatch') {
    run.end({ kind: 'resume_mismatch', message: mismatchMessage(problem) });
    return true;
  }
  if (problem?.code === 'dry_run_full') {
    const budget =
      (['dry_run_writes', 'writer_time', 'dry_run_time'] as const).find((name) => name === problem.budget) ?? 'carried_out_again';
    run.end({ kind: 'budget', budget, limit: String(problem.limit) });
    return true;
  }
  if (problem?.code === 'budget_spent') {
    run.end({ kind: 'budget', budget: problem['budget'] === 'writes' ? 'writes' : 'host_calls', limit: String(problem['limit']) });
    return true;
  }
  if (problem?.code === 'journal_full') {
    run.end({ kind: 'budget', budget: 'journal', limit: '256 MiB an epoch' });
    return true;
  }
  if (problem?.code === 'llm_budget_spent') {
    run.end({ kind: 'budget', budget: 'llm_tokens', limit: String(problem['limit']) });
    return true;
  }
  return false;
}

/**
 * The error of a refused host call other than `admin_api`; null when the claim is over. A missing permission is logged as an
 * `admin_api` event (spec SF5).
 */
export function refusalOf(run: RunContext, { to, what }: { to: ReportTarget; what: string }, reply: Reply): Answer | null {
  const problem = problemOf(reply);
  if (isClaimOver(run, reply, problem)) return null;
  if (problem?.code === 'not_in_recording') return { unanswered: problem.detail };
  const error = errorOf(what, reply.status, problem);
  if (error.name !== 'PermissionError') return { error: { ...error, message: `${what}: ${problem?.detail ?? reply.status}` } };
  return { error, line: { method: to.method, path: to.path.split('?', 1)[0] ?? '', status: reply.status } };
}

function errorOf(call: string, status: number, problem: Problem | null): NonNullable<Answer['error']> {
  const code = problem?.code ?? 'internal';
  const fields: JsonObject = { status, code, detail: problem?.detail ?? '', errors: problem?.errors ?? [] };
  if (status === 403 && code === 'forbidden') {
    const permission = problem?.required_permission;
    if (typeof permission !== 'string') return { name: 'PermissionError', message: `${call} is not open to tasks`, fields };
    const message = `${call} needs the permission ${permission}`;
    return { name: 'PermissionError', message, fields: { ...fields, required_permission: permission } };
  }
  return { name: 'AdminApiError', message: `${call} answered ${status} ${code}${problem?.detail ? `: ${problem.detail}` : ''}`, fields };
}
