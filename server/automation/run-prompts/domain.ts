import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type OpenPrompt, PROMPT_TIMEOUT_HOURS, type Prompt } from '../../../contract/prompts.ts';
import type { Db } from '../../db/open.ts';
import { notify, tellAdmins } from '../../resources/notifications/domain.ts';
import type { Services } from '../../services.ts';
import { actingAdmin, type Ctx, type ReplaySource, type TaskActor } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue, refuseValues } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { continueRun } from '../runs/life/offer.ts';
import { interruptWaiting, noteInLog } from '../runs/life/waiting.ts';
import { lockRun } from '../runs/rows/domain.ts';
import { missingReads, requireReads } from '../runs/rows/output-permissions.ts';
import { requireTask } from '../tasks/domain.ts';
import { checkAnswers } from './rules.ts';
import * as store from './store.ts';

export const recordVersions = {
  prompt: async (db, { id, run_id, prompt_id }) => {
    const prompt = await store.selectPrompt(db, { taskId: Number(id), runId: Number(run_id), id: Number(prompt_id) });
    return prompt && (prompt.answered_at === null ? 1 : 2);
  },
} satisfies RecordVersions;

/** Limit of unanswered questions of a lineage, so that a run which nobody answers cannot fill the shop's notifications. */
export const OPEN_MAX = 100;

/** Stores a question once for each key of the lineage. A run that was interrupted and resumed gets the stored question and its answer. */
export async function askPrompt(ctx: Ctx, { body }: InputOf<Endpoints['runner.ask_prompt']>): Promise<Prompt> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can ask a question; use the token of a claim.');
  await requireEpoch(ctx.db, actor, body.key);
  if (actor.replay) return recordedPrompt(ctx, actor.replay, body);
  const known = await store.selectByKey(ctx.db, { lineageId: actor.lineageId, key: body.key });
  if (known && known.asked_by_claim_id !== actor.claimId) await store.markAsked(ctx.db, known.id, actor.claimId);
  if (known && (known.answered_at !== null || known.asked_by_run_id === actor.runId)) return store.toPrompt(known);
  if (known) await store.askAgain(ctx.db, known.id, actor.runId, ctx.now);
  else if ((await store.countOpen(ctx.db, actor.lineageId)) >= OPEN_MAX)
    throw refuseValue('out_of_range', '/label', `a run may have at most ${OPEN_MAX} unanswered questions`);
  const prompt =
    known ??
    (await store.insertPrompt(ctx.db, {
      lineage_id: actor.lineageId,
      key: body.key,
      run_id: actor.runId,
      asked_by_run_id: actor.runId,
      asked_by_claim_id: actor.claimId,
      asked_at: ctx.now,
      label: body.label,
      fields: JSON.stringify(body.fields),
      answers: null,
      created_at: ctx.now,
      answered_at: null,
      answered_by: null,
    }));
  await noteInLog(ctx, actor.runId, `prompt ${prompt.id} waits for an answer: ${body.label}`);
  const { name } = await requireTask(ctx.db, actor.taskId);
  // The message names the prompt only, because every admin sees notifications and not every admin may read the question.
  const message = `Run ${actor.runId} of "${name}" asks: see prompt ${prompt.id}`;
  const metadata = { task_id: actor.taskId, run_id: actor.runId, prompt_id: prompt.id, task_name: name };
  if (!actor.dryRun) await notify(ctx, [{ type: 'ai_task_prompt', title: 'A task run waits for an answer', message, metadata }]);
  // Whoever started a dry run looks at it; to the others it is nothing to be answered.
  else
    await tellAdmins(ctx, [actor.adminId], {
      ...{ type: 'ai_task_prompt', title: 'A dry run of a task waits for an answer', message },
      ...{ metadata: { ...metadata, dry_run: true }, link: `/tasks/${actor.taskId}/runs/${actor.runId}` },
    });
  return store.toPrompt(prompt);
}

/** Refuses a call of an epoch that the run is not in. */
export async function requireEpoch(db: Db, { lineageId }: Pick<TaskActor, 'lineageId'>, key: string): Promise<void> {
  const epoch = await store.selectEpoch(db, lineageId);
  if (epoch !== Number(key.split('/')[0])) throw new Refusal('run_fenced', `The run is in epoch ${epoch}; this call names ${key}.`);
}

/** A replay gets the recorded answer; nobody is asked. */
async function recordedPrompt(
  ctx: Ctx,
  { lineageId, runId }: ReplaySource,
  { key, label }: { key: string; label: string },
): Promise<Prompt> {
  const recorded = await store.selectByKey(ctx.db, { lineageId, key });
  if (recorded && recorded.answered_at !== null) return store.toPrompt(recorded);
  throw new Refusal('not_in_recording', `"${label.slice(0, 100)}" has no answer in the recording of run ${runId}.`);
}

export async function listPrompts(ctx: Ctx, runId: number): Promise<Prompt[]> {
  await requireReads(ctx.db, ctx.actor, runId);
  return store.selectPrompts(ctx.db, runId);
}

export async function listOpenPrompts(ctx: Ctx, { query }: InputOf<Endpoints['ai_tasks.list_open_prompts']>): Promise<OpenPrompt[]> {
  const rows = await store.selectOpen(ctx.db, query.limit);
  const missing = await missingReads(ctx.db, ctx.actor, [...new Set(rows.map(({ asked_by_run_id }) => asked_by_run_id))]);
  return rows.map((row) => {
    const { task_id, task_name, asked_at, asked_by_run_id: run_id } = row;
    const withheld = missing.get(run_id) ?? [];
    const shown = withheld.length === 0 ? {} : { label: null, fields: [], description: null };
    return {
      ...store.toPrompt(row),
      description: row.description,
      ...shown,
      task_id,
      task_name,
      run_id,
      dry_run: row.dry_run === 1,
      asked_at,
      withheld,
    };
  });
}

/**
 * Stores the answers, and lets the run go on: its worker finds them at its next poll, or the run is offered to a runner again
 * if it was parked.
 */
export async function answerPrompt(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.answer_prompt']>): Promise<Prompt> {
  const place = { taskId: params.id, runId: params.run_id, id: params.prompt_id };
  const run = await lockRun(ctx.db, params.run_id);
  const prompt = await store.selectPrompt(ctx.db, place);
  if (!prompt) throw notFound('prompt', params.prompt_id);
  await requireReads(ctx.db, ctx.actor, params.run_id);
  const { answers, errors } = checkAnswers(store.toPrompt(prompt).fields, body.answers);
  if (errors.length > 0) throw refuseValues(errors);
  const answer = {
    answers: JSON.stringify(answers),
    answered_at: ctx.now,
    answered_by: actingAdmin(ctx).adminId,
    answered_claim_id: run?.claim_id ?? null,
  };
  if (prompt.answered_at !== null) throw new Refusal('already_answered', `Prompt ${prompt.id} was answered at ${prompt.answered_at}.`);
  if (run?.status !== 'running')
    throw new Refusal('run_not_running', `Run ${params.run_id} is ${run?.status}; only a running run can be answered.`);
  if (!(await store.keepAnswers(ctx.db, prompt.id, answer)))
    throw new Refusal('already_answered', `Prompt ${prompt.id} was just answered.`);
  await continueRun(ctx, run, `prompt ${prompt.id} was answered`);
  ctx.audit({
    resource: { type: 'run', id: run.id },
    changes: { answered_at: [null, ctx.now] },
    summary: `Run ${run.id}: prompt ${prompt.id} answered`,
  });
  return store.toPrompt({ ...prompt, ...answer });
}

const AT_A_TIME = 100;

/** Interrupts runs whose question was not answered within PROMPT_TIMEOUT_HOURS. A run that resumes one of them asks the question again. */
export async function timeOutPrompts(services: Services, nowMs: number = Date.now()): Promise<void> {
  const before = new Date(nowMs - PROMPT_TIMEOUT_HOURS * 3_600_000).toISOString();
  for (const { runId, promptId, label } of await store.selectOverdue(services.store.reader, before, AT_A_TIME)) {
    const message = `prompt ${promptId} was not answered within ${PROMPT_TIMEOUT_HOURS} hours: ${label.slice(0, 300)}`;
    await interruptWaiting(services, runId, (ctx) => store.isOpen(ctx, promptId), {
      endReason: 'prompt_timeout',
      errorMessage: message,
    });
  }
}

export { deletePrompts as forgetPrompts } from './store.ts';
