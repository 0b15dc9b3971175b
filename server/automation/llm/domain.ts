import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { LlmCompletion } from '../../../contract/llm.ts';
import { Json } from '../../../contract/run-events.ts';
import type { SchemaChecker } from '../../json-schema/check.ts';
import { AccountRefused, type Completion, type Llm, type LlmAccount, LlmBusy, PromptRefused } from '../../providers/llm/llm.ts';
import type { Ctx, Steps, TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { requireTask, settingsOf } from '../tasks/domain.ts';
import { limitsOf } from '../tasks/rules.ts';
import { budgetState, promptTokens, sampleOf, usageOf } from './rules.ts';
import * as store from './store.ts';

type Body = BodyOf<Endpoints['llm.complete']>;
type Deps = { llm: Llm; schemas: SchemaChecker };
type Call = { steps: Steps; actor: TaskActor; scope: string; body: Body };

/**
 * Makes one completion. Its highest possible cost is reserved in the run's budget before the model is asked; the real cost is
 * counted with the answer. A model cannot tell what became of an earlier request, so a repeat after a crash asks again
 * (spec JO9, SF11).
 */
export async function complete({ llm, schemas }: Deps, steps: Steps, body: Body): Promise<(ctx: Ctx) => Promise<LlmCompletion>> {
  const { actor, scope } = steps;
  if (actor.type !== 'task' || scope === null)
    throw new Refusal('forbidden', 'Only a run can ask for a completion, because its cost is taken from the budget of a run.');
  const call = { steps, actor, scope, body };
  const schemaFault = body.schema ? await schemas.check(body.schema) : null;
  if (schemaFault !== null)
    throw refuseValue('invalid_value', '/schema', `is not a JSON schema that the answer can be checked by: ${schemaFault}`);

  const account = await steps.step((ctx) => reserve(ctx, call));
  const completion = await ask(llm, call, account);
  const { json, fault } = await read(schemas, body, completion);
  if (fault !== null) {
    await steps.step((ctx) => settle(ctx, call, completion));
    throw new Refusal('llm_answer_invalid', `The model's answer does not match the schema: ${fault}`);
  }
  return async (ctx) => {
    const { text, finish_reason } = completion;
    return { text, json, finish_reason, usage: await settle(ctx, call, completion) };
  };
}

/** Reserves in the run's budget the most that the call may cost. */
async function reserve(ctx: Ctx, { steps, actor, scope, body }: Call): Promise<LlmAccount> {
  const { db } = ctx;
  const { llm: account } = ctx.settings;
  if (account === null) throw new Refusal('llm_not_configured', 'No language model is configured; the setting llm of the shop names one.');
  const { llm_tokens: limit } = limitsOf(settingsOf(await requireTask(db, actor.taskId)).limits, ctx.settings.limits_max);
  const spending = await store.lockSpending(ctx, actor.lineageId, scope);
  const wanted = body.max_tokens + promptTokens(body);
  const state = budgetState(limit, spending, wanted);
  if (state === 'wait')
    throw new Refusal('busy', 'The remaining llm tokens of the run are reserved by its other calls; try again when they have ended.');
  if (state === 'spent') {
    const left = Math.max(0, limit - spending.spent);
    const why = `${left} of ${limit} llm tokens are left; this completion may cost ${wanted}, of which ${body.max_tokens} are max_tokens.`;
    throw new Refusal('llm_budget_spent', why, { extra: { limit } });
  }
  if (steps.wasBegun) await store.addSpent(db, actor.lineageId, spending.before);
  await store.updateHeld(db, scope, wanted);
  return account;
}

async function ask(llm: Llm, { steps, actor, scope, body }: Call, account: LlmAccount): Promise<Completion> {
  const { messages, schema, max_tokens: maxTokens } = body;
  try {
    return await llm.complete(account, { messages, maxTokens, schema }, steps.signal);
  } catch (cause) {
    const wasMade = !(cause instanceof PromptRefused || cause instanceof LlmBusy || cause instanceof AccountRefused);
    const said = cause instanceof Error ? cause.message : String(cause);
    steps.log.warn({ run_id: actor.runId, reason: said }, 'the language model gave no completion');
    if (steps.signal.aborted)
      throw new Refusal('idempotency_in_progress', 'The server is stopping; repeat the request with the same key.', { cause });
    await steps.step(async ({ db }) => {
      if (wasMade) await store.addSpent(db, actor.lineageId, maxTokens + promptTokens(body));
      await store.updateHeld(db, scope, 0);
    });
    if (cause instanceof LlmBusy) {
      throw new Refusal('busy', 'The language model is busy and takes no more requests now; try again later.', {
        extra: { retry_after: cause.retryAfterSeconds },
        cause,
      });
    }
    if (cause instanceof PromptRefused) throw new Refusal('llm_refused', `The language model did not take the request: ${said}`, { cause });
    throw new Refusal('provider_error', `The language model gave no completion: ${said}.`, { cause });
  }
}

type Read = { json: Json; fault: string | null };

async function read(schemas: SchemaChecker, { schema }: Body, { text, finish_reason }: Completion): Promise<Read> {
  if (!schema) return { json: null, fault: null };
  try {
    const json = Json.parse(JSON.parse(text));
    return { json, fault: await schemas.checkValue(schema, json) };
  } catch {
    const why = finish_reason === 'length' ? ', cut off at max_tokens' : finish_reason === 'refusal' ? ': the model refused' : '';
    return { json: null, fault: `it is not JSON${why}` };
  }
}

/** Counts the completion's real cost and stores it as an effect of the run. */
async function settle(ctx: Ctx, { steps, actor, scope, body }: Call, completion: Completion): Promise<LlmCompletion['usage']> {
  const usage = usageOf(body, completion);
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  await store.addSpent(ctx.db, actor.lineageId, tokens);
  await store.updateHeld(ctx.db, scope, 0);
  ctx.audit({
    resource: { type: 'llm_completion', id: null },
    changes: { tokens: [null, tokens] },
    summary: `Run ${actor.runId}: a completion of ${tokens} tokens`,
    maybeTwice: steps.wasBegun,
  });
  return usage;
}

/** The sample that a dry run gets; the model is not asked. */
export function sampleCompletion({ schema }: Pick<Body, 'schema'>): LlmCompletion {
  const json = schema ? Json.parse(sampleOf(schema)) : null;
  const usage = { prompt_tokens: 0, completion_tokens: 0 };
  return { text: schema ? JSON.stringify(json) : 'sample', json, finish_reason: 'stop', usage, dry_run: true };
}
