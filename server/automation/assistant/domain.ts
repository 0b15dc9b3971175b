import { type AssistantConversation, AssistantDraft, type AssistantThread } from '../../../contract/assistant.ts';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { Db } from '../../db/open.ts';
import { dayIn } from '../../values/dates.ts';
import { type Actor, actingAdmin, type Ctx } from '../../verbs/context.ts';
import { listPage, NEWEST_FIRST } from '../../verbs/list-pages.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import { findRun } from '../runs/rows/domain.ts';
import { findTask, requireAlive } from '../tasks/domain.ts';
import { findSource } from '../tasks/executed.ts';
import { endTurn, leaseMs, takeThread } from './lease.ts';
import { isSameDraft, isTooLong, mayReadOf, TOO_LONG, titleOf } from './rules.ts';
import * as store from './store.ts';
import { changeThread, draftOf, itemOf, lockOwn, requireShown, threadOf } from './threads.ts';

/** The threads of the assistant: what their admins ask of them (spec AS1, AS2). What works on them is `server/assistant`. */

export const recordVersions = {
  assistant_thread: {
    version: async (db, { id }, actor) => (await findOwn(db, Number(id), actor))?.row_version ?? null,
    derived: async ({ settings }) => settings.assistant?.thread_tokens,
  },
} satisfies RecordVersions;

const DEFAULT_KEEP_DAYS = 30;
export const retentions: readonly Retention[] = [
  { days: ({ assistant }) => assistant?.keep_days ?? DEFAULT_KEEP_DAYS, deleteBatch: store.deleteOldThreads },
  { days: () => 7, deleteBatch: store.deleteOldDays },
];

const MISSING = 'No model is set for the assistant; an owner sets one in the console under Settings, Language model.';

/** The settings of the assistant; refuses where there are none. */
function requireSettings({ settings }: Ctx) {
  if (settings.assistant === null) throw new Refusal('assistant_not_configured', MISSING);
  return settings.assistant;
}

export async function getStatus(ctx: Ctx): Promise<ResponseOf<Endpoints['assistant.status']>> {
  const { assistant, timezone } = ctx.settings;
  if (assistant === null)
    return { configured: false, provider: null, model: null, missing: MISSING, tokens_left_today: null, shop_tokens_left_today: null };
  const { provider, model, day_tokens, admin_day_tokens } = assistant;
  const used = await store.selectDay(ctx.db, dayIn(ctx.now, timezone), actingAdmin(ctx).adminId);
  const shop = Math.max(0, day_tokens - used.shop);
  const own = Math.min(shop, Math.max(0, admin_day_tokens - used.admin));
  return { configured: true, provider, model, missing: null, tokens_left_today: own, shop_tokens_left_today: shop };
}

export async function createThread(ctx: Ctx, { body }: InputOf<Endpoints['assistant.create_thread']>): Promise<AssistantConversation> {
  requireSettings(ctx);
  const { task_id = null, run_id = null, sees_personal_data } = body;
  const draft = await firstDraft(ctx, task_id, run_id);
  const row = await store.insertThread(ctx.db, {
    ...{ admin_id: actingAdmin(ctx).adminId, task_id, run_id, title: '', state: 'idle', error: null },
    ...{ draft: draft && JSON.stringify(draft), tokens_used: 0, sees_personal_data: sees_personal_data ? 1 : 0 },
    ...{ token_id: null, shortened_to: 0, may_read: '[]', created_at: ctx.now, updated_at: ctx.now },
  });
  note(ctx, row.id, 'begun');
  return conversationOf(ctx, row);
}

/** The draft that a thread begins with: what the run executed, or what the task runs now. */
async function firstDraft(ctx: Ctx, taskId: number | null, runId: number | null): Promise<AssistantDraft | null> {
  if (taskId === null) {
    if (runId !== null) throw refuseValue('required', '/task_id', 'is required beside run_id: it names the task of the run');
    return null;
  }
  const task = await findTask(ctx.db, { id: taskId });
  if (!task || task.drafts_of !== null) throw refuseValue('task_not_found', '/task_id', `there is no task ${taskId}`);
  requireAlive(task);
  const run = runId === null ? undefined : await findRun(ctx.db, taskId, runId);
  if (runId !== null && !run) throw refuseValue('invalid_value', '/run_id', `task ${taskId} has no run ${runId}`);
  if (run?.status === 'running') throw refuseValue('invalid_value', '/run_id', `run ${run.id} has not ended yet`);
  const versionId = run?.version_id ?? task.current_version_id;
  const source = versionId === null ? undefined : await findSource(ctx.db, taskId, versionId);
  return source ? AssistantDraft.parse(source) : null;
}

export function listThreads(ctx: Ctx, { query }: InputOf<Endpoints['assistant.list_threads']>) {
  const { task_id, ...page } = query;
  const list = store.threadsOf(ctx.db, actingAdmin(ctx).adminId, task_id);
  return listPage(page, NEWEST_FIRST, { ...list, rows: async (ids) => (await list.rows(ids)).map((row) => threadOf(row, ctx)) });
}

export async function getThread(ctx: Ctx, id: number): Promise<AssistantConversation> {
  const row = await findOwn(ctx.db, id, ctx.actor);
  if (!row) throw notFound('thread', id);
  requireShown(ctx.actor, row);
  return conversationOf(ctx, row);
}

async function conversationOf(ctx: Ctx, row: store.ThreadRow): Promise<AssistantConversation> {
  return { ...threadOf(row, ctx), draft: draftOf(row), items: (await store.selectItems(ctx.db, row.id)).map(itemOf) };
}

/** Another admin's thread does not exist for the caller (spec AS1). */
async function findOwn(db: Db, id: number, actor: Actor): Promise<store.ThreadRow | undefined> {
  const row = await store.selectThread(db, { id });
  return actor.type === 'admin' && row?.admin_id === actor.adminId ? row : undefined;
}

export async function deleteThread(ctx: Ctx, id: number): Promise<undefined> {
  await forget(ctx, await lockOwn(ctx, id));
  note(ctx, id, 'deleted');
}

/**
 * Is told of the thread in which a version was written: one of the admin that is about no task yet belongs to this one from now on. Any other
 * is left as it is, since the version is the assistant's whatever has become of the thread (spec AS6).
 */
export async function claimThread(ctx: Ctx, id: number, taskId: number): Promise<void> {
  const row = await store.lockThread(ctx.db, { id });
  if (ctx.actor.type !== 'admin' || ctx.actor.agent || row?.admin_id !== ctx.actor.adminId || row.task_id !== null) return;
  await changeThread(ctx.db, row, { at: ctx.now, task_id: taskId });
  ctx.after(() => ctx.services.threadFollowers.fire(id));
}

/** Deletes the threads of a task, whoever's they are; a turn that works on one ends. */
export async function forgetThreads(ctx: Ctx, taskId: number): Promise<void> {
  for (const id of await store.selectThreadsOfTask(ctx.db, taskId)) {
    const row = await store.lockThread(ctx.db, { id });
    if (row) await forget(ctx, row);
  }
}

async function forget(ctx: Ctx, { id }: store.ThreadRow): Promise<void> {
  await endTurn(ctx, id);
  await store.deleteThread(ctx.db, id);
  ctx.after(() => ctx.services.threadFollowers.fire(id));
}

export async function sendMessage(ctx: Ctx, { params, body }: InputOf<Endpoints['assistant.send_message']>): Promise<AssistantThread> {
  const row = await lockAtRest(ctx, params.id);
  const [before, after] = [draftOf(row), body.draft ?? draftOf(row)];
  const isChanged = after !== null && !isSameDraft(before, after);
  // The model is told of the draft where it cannot know it yet.
  const isShown = after !== null && (isChanged || row.title === '');
  return begin(ctx, row, {
    ...(row.title === '' && { title: titleOf(body.text) }),
    ...(isChanged && { draft: JSON.stringify(after) }),
    items: [
      ...(isChanged ? [{ kind: 'draft' as const, by: 'person' as const, before, after }] : []),
      { kind: 'user', text: body.text, ...(isShown && { made: { draft: after, mark: markOf(ctx) } }) },
    ],
  });
}

/** Nobody who wrote a part of the draft can know the mark between which the model gets it. */
function markOf({ random }: Ctx): string {
  return `data-${random(6).toString('hex')}`;
}

export async function retry(ctx: Ctx, id: number): Promise<AssistantThread> {
  const row = await lockAtRest(ctx, id);
  if (row.state === 'idle')
    throw new Refusal('thread_idle', 'The assistant has answered; there is nothing to go on with. Send it a message.');
  return begin(ctx, row, {});
}

async function lockAtRest(ctx: Ctx, id: number): Promise<store.ThreadRow> {
  const row = await lockOwn(ctx, id);
  requireShown(ctx.actor, row);
  requireSettings(ctx);
  if (row.state === 'working')
    throw new Refusal('thread_working', 'The assistant works on this thread; wait until it has answered, or stop it.');
  if (isTooLong(row)) throw new Refusal('thread_too_long', TOO_LONG);
  return row;
}

type Begun = Omit<Parameters<typeof changeThread>[2], 'at'>;

/** Begins a turn, which works on after the commit, with the rights of the token that sent this request. */
async function begin(ctx: Ctx, row: store.ThreadRow, changes: Begun): Promise<AssistantThread> {
  if (ctx.actor.type !== 'admin') throw new Refusal('forbidden', 'Only an admin asks the assistant.');
  const turn = { state: 'working' as const, error: null, token_id: ctx.actor.tokenId, may_read: mayReadOf(ctx.actor) };
  const changed = await changeThread(ctx.db, row, { ...changes, ...turn, at: ctx.now });
  const holder = await takeThread(ctx, row.id, leaseMs(ctx.services));
  note(ctx, row.id, 'asked');
  ctx.after(() => {
    ctx.services.threadFollowers.fire(row.id);
    ctx.services.assistantWork.begin({ threadId: row.id, holder });
  });
  return threadOf(changed.row, ctx);
}

export async function stop(ctx: Ctx, id: number): Promise<AssistantThread> {
  const row = await lockOwn(ctx, id);
  note(ctx, id, 'stopped');
  if (row.state !== 'working') return threadOf(row, ctx);
  await endTurn(ctx, id);
  const text = 'Stopped. Retry goes on.';
  const changed = await changeThread(ctx.db, row, { at: ctx.now, state: 'stopped', items: [{ kind: 'notice', code: 'stopped', text }] });
  ctx.after(() => ctx.services.threadFollowers.fire(id));
  return threadOf(changed.row, ctx);
}

/** The audit log is told that something happened, never what was said. */
function note(ctx: Ctx, id: number, what: string): void {
  ctx.audit({ resource: { type: 'assistant_thread', id }, changes: {}, summary: `Thread ${id} of the assistant ${what}` });
}
