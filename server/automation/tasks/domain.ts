import { declaredOf } from '../../../contract/declared.ts';
import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import { defaultTaskSettings, type LimitsChange, type Task, TaskSettings } from '../../../contract/tasks.ts';
import { defaultTrial, type Trial } from '../../../contract/trials.ts';
import { fold } from '../../../contract/values.ts';
import type { Db } from '../../db/open.ts';
import { byKey } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';
import { sortKey } from '../../values/texts.ts';
import { given } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue, refuseValues } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { declaredIn } from '../grants/rules.ts';
import { actsForAsker, takesOver } from '../parameters/domain.ts';
import { beginTrial, findTrial } from '../trials/domain.ts';
import { limitsAfter, limitsBeyond, permissionsDiff, raisedLimits } from './rules.ts';
import * as store from './store.ts';
import { appendVersion, approvalStateOf, type ClaimThread, requireHeld, shownVersion, summaryOf, versionOf } from './versions.ts';

export const taskVersions = {
  task: {
    version: (db, params) => store.selectTaskVersion(db, Number(params['id'])),
    derived: async (ctx, params) => {
      const id = Number(params['id']);
      const row = await store.selectTask(ctx.db, { id });
      return [await listVersions(ctx.db, id), await findTrial(ctx.db, row?.current_version_id ?? null)];
    },
  },
  task_version: {
    version: async (db, params) => {
      const version = await store.selectVersion(db, Number(params['id']), Number(params['version_id']));
      if (!version) return null;
      // A version changes only when it is decided on, when changes are requested and when it is revoked, so its state gives its row version.
      const { change_request_id: request } = version;
      return { pending: request === null ? 1 : `1-${request}`, approved: 2, rejected: 2, revoked: 3 }[approvalStateOf(version)];
    },
    derived: async (ctx, params, answers) => {
      const place = { id: Number(params['id']), version_id: Number(params['version_id']) };
      const version = await shownVersion.ofEtag(ctx, place, answers);
      const { permissions_diff, permissions_used, may_start_tasks, created_by_name, ...rest } = version;
      const { is_own, evidence, proposal, plan_digest_now, change_request } = rest;
      return {
        permissions_diff,
        permissions_used,
        may_start_tasks,
        created_by_name,
        is_own,
        evidence,
        proposal,
        plan_digest_now,
        change_request,
      };
    },
  },
} satisfies RecordVersions;

export async function listTasks(ctx: Ctx, { query }: InputOf<Endpoints['ai_tasks.list']>): Promise<ResponseOf<Endpoints['ai_tasks.list']>> {
  const filter = { search: query.search ? fold(query.search) : undefined, includeDeleted: query.include_deleted };
  const tasks = await store.selectTasks(ctx, filter, query.limit, query.offset);
  return { tasks, total: await store.countTasks(ctx, filter) };
}

export async function getTask(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get']>): Promise<ResponseOf<Endpoints['ai_tasks.get']>> {
  const row = await requireTask(ctx.db, params.id);
  const current = row.current_version_id === null ? undefined : await store.selectVersion(ctx.db, row.id, row.current_version_id);
  return {
    task: taskOf(row),
    current_version: current ? versionOf(current) : null,
    trial: await findTrial(ctx.db, row.current_version_id),
    versions: await listVersions(ctx.db, row.id),
  };
}

async function listVersions(db: Db, taskId: number) {
  return (await store.selectVersions(db, taskId)).map(summaryOf);
}

/** Creates a task with its version 1 in one transaction. */
export async function createTask(
  ctx: Ctx,
  { body }: InputOf<Endpoints['ai_tasks.create']>,
  { claimThread }: Listeners,
): Promise<ResponseOf<Endpoints['ai_tasks.create']>> {
  const { name, description, ...version } = body;
  requireHeld(ctx, version.permissions);
  const id = await store.insertTask(ctx.db, newTask(name, description, ctx.now));
  const { id: versionId, approval } = await appendVersion(ctx, { id, name, current_version_id: null }, version, [], claimThread);
  ctx.audit({
    resource: { type: 'task', id },
    changes: {
      name: [null, name],
      version_id: [null, versionId],
      ...(approval === 'approved' ? { current_version_id: [null, versionId] } : {}),
      permissions: [[], declaredOf(version)],
    },
    summary: `Task "${name}" created${approval === 'approved' ? '' : '; its version waits for approval'}`,
  });
  return { task_id: id, version_id: versionId, approval, warnings: [...ctx.prepared.warnings] };
}

const DRAFTS = 'Drafts without a task';

/** Finds or makes the task as which the acting admin's drafts run dry that have none yet. No list shows it, and it gets no version. */
export async function draftsTask(ctx: Ctx): Promise<number> {
  const { adminId } = actingAdmin(ctx);
  await ctx.dialect.lockName(ctx.db, `drafts of admin ${adminId}`);
  const known = await store.selectDraftsTask(ctx.db, adminId);
  return known ?? store.insertTask(ctx.db, { ...newTask(DRAFTS, '', ctx.now), drafts_of: adminId });
}

/** Makes the task of a script that is to run once. No list shows it. */
export async function openOneOff(ctx: Ctx, name: string) {
  const id = await store.insertTask(ctx.db, { ...newTask(name, '', ctx.now), one_off: 1 });
  return { id, name, current_version_id: null, one_off: 1 };
}

/** Deletes it when its plan was carried out, so that nothing runs of it again. */
export async function closeOneOff(ctx: Ctx, id: number): Promise<void> {
  await store.updateTask(ctx.db, id, { deleted_at: ctx.now, updated_at: ctx.now });
}

function newTask(name: string, description: string, now: string) {
  return {
    name,
    name_folded: sortKey(name),
    description,
    description_folded: sortKey(description),
    current_version_id: null,
    settings: JSON.stringify(defaultTaskSettings),
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

export async function createVersion(
  ctx: Ctx,
  { params, body }: InputOf<Endpoints['ai_tasks.create_version']>,
  { claimThread }: Listeners,
): Promise<ResponseOf<Endpoints['ai_tasks.create_version']>> {
  requireHeld(ctx, body.permissions);
  await store.lockTask(ctx, params.id);
  const task = await requireAliveTask(ctx.db, params.id);
  if (task.drafts_of !== null || task.one_off === 1)
    throw new Refusal(
      'forbidden',
      `Task ${task.id} holds ${task.one_off === 1 ? 'a proposal' : 'drafts without a task'}; make a task of yours.`,
    );
  const current = task.current_version_id === null ? undefined : await store.selectVersion(ctx.db, task.id, task.current_version_id);
  const held = current ? declaredIn(current) : [];
  const diff = permissionsDiff(held, declaredOf(body));
  const { id: versionId, version, approval } = await appendVersion(ctx, task, body, held, claimThread);
  if (approval === 'approved') await beginTrial(ctx, settingsOf(task).trial, { id: versionId, task_id: task.id, version });
  ctx.audit({
    resource: { type: 'task', id: task.id },
    changes: {
      version_id: [null, versionId],
      ...(approval === 'approved' ? { current_version_id: [task.current_version_id, versionId] } : {}),
      permissions_added: [null, diff.added],
      permissions_removed: [null, diff.removed],
    },
    summary: `Task "${task.name}": new version${approval === 'approved' ? '' : ', which waits for approval'}`,
  });
  return { version_id: versionId, permissions_diff: diff, approval, warnings: [...ctx.prepared.warnings] };
}

export async function updateTask(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.update']>): Promise<Task> {
  await store.lockTask(ctx, params.id);
  const row = await requireTask(ctx.db, params.id);
  const before = taskOf(row);
  requireAlive(before);
  const settings: TaskSettings = body.settings
    ? {
        ...before.settings,
        ...given(body.settings),
        limits: limitsAfter(before.settings.limits, body.settings.limits),
        retry: merge(before.settings.retry, body.settings.retry),
        concurrency: merge(before.settings.concurrency, body.settings.concurrency),
        trial: trialAfter(before.settings.trial, body.settings.trial),
      }
    : before.settings;
  if (body.settings?.limits) requireWithinMaximum(ctx, body.settings.limits);
  if (body.settings?.retry) requireRisingDelay(settings.retry);
  if (body.settings?.trial) requireCompared(settings.trial);
  const raised = raisedLimits(before.settings, settings);
  if (Object.keys(raised).length > 0) {
    const decided = { task: { id: before.id, name: before.name }, limits: raised };
    await ctx.decide({ acts: ['raise_limits'], subject: { type: 'task', id: before.id }, decided });
  }
  const handler = body.settings?.error_handler;
  if (handler) await requireHandler(ctx, params.id, handler.task_id);
  const { name = before.name, description = before.description, settings: _, ...rest } = body;
  rest satisfies Record<string, never>;
  const after = { name, description, settings };
  const changes: Record<string, [unknown, unknown]> = {};
  if (after.name !== before.name) changes['name'] = [before.name, after.name];
  if (after.description !== before.description) changes['description'] = [before.description, after.description];
  if (JSON.stringify(settings) !== JSON.stringify(before.settings)) changes['settings'] = [before.settings, settings];
  const actsFor = await handlerActsFor(ctx, row, settings.error_handler, handler !== undefined);
  const adminId = actsFor?.handler_acts_for ?? null;
  if (adminId !== null && row.handler_acts_for !== null && adminId !== row.handler_acts_for)
    changes['error_handler_acts_for'] = [row.handler_acts_for, adminId];
  if (Object.keys(changes).length > 0 || actsFor) {
    await store.updateTask(ctx.db, params.id, {
      ...actsFor,
      name: after.name,
      name_folded: sortKey(after.name),
      description: after.description,
      description_folded: sortKey(after.description),
      settings: JSON.stringify(settings),
      stuck_minutes: settings.stuck_minutes,
      updated_at: ctx.now,
    });
  }
  const { limit } = settings.concurrency;
  if (limit !== before.settings.concurrency.limit) {
    await store.limitOpenRuns(ctx.db, params.id, limit);
    ctx.after(() => ctx.services.work.fire());
  }
  ctx.audit({ resource: { type: 'task', id: params.id }, changes, summary: `Task "${after.name}" changed` });
  return taskOf(await requireTask(ctx.db, params.id));
}

function requireWithinMaximum(ctx: Ctx, limits: LimitsChange): void {
  const errors = limitsBeyond(limits, ctx.settings.limits_max).map(([name, most]) => ({
    pointer: `/settings/limits/${name}`,
    parameter: null,
    code: 'out_of_range',
    detail: `must be at most ${most}, the maximum in the shop's setting limits_max`,
  }));
  if (errors.length > 0) throw refuseValues(errors);
}

/** A handler that is this task would run for its own bad end. */
async function requireHandler(ctx: Ctx, taskId: number, handlerId: number): Promise<void> {
  const at = '/settings/error_handler/task_id';
  if (handlerId === taskId) throw refuseValue('invalid_value', at, 'must be another task: a task cannot handle its own bad ends');
  const handler = await store.selectTask(ctx.db, { id: handlerId });
  if (!handler) throw refuseValue('invalid_value', at, `there is no task ${handlerId}`);
  if (handler.deleted_at !== null) throw refuseValue('invalid_value', at, `task ${handlerId} was deleted at ${handler.deleted_at}`);
}

/** The handler's runs act for the admin who set it, as with schedules, or who saved the task after that admin had lost the right to it. */
async function handlerActsFor(ctx: Ctx, { handler_acts_for }: Row<'tasks'>, handler: TaskSettings['error_handler'], isGiven: boolean) {
  if (handler === null) return isGiven ? { handler_acts_for: null } : undefined;
  if (!isGiven && (handler_acts_for === null || !(await takesOver(ctx, { acts_for: handler_acts_for })))) return undefined;
  const { acts_for, reads_files } = actsForAsker(ctx);
  return { handler_acts_for: acts_for, handler_reads_files: reads_files };
}

function requireRisingDelay({ first_ms, max_ms }: TaskSettings['retry']): void {
  if (max_ms < first_ms) throw refuseValue('out_of_range', '/settings/retry/max_ms', `must be at least ${first_ms}, the value of first_ms`);
}

/** A trial that is switched on has what is not given from the defaults. */
function trialAfter(
  before: TaskSettings['trial'],
  change: { [K in keyof Trial]?: Trial[K] | undefined } | null | undefined,
): TaskSettings['trial'] {
  if (change === undefined) return before;
  return change === null ? null : merge(before ?? defaultTrial, change);
}

function requireCompared(trial: TaskSettings['trial']): void {
  if (trial?.failure_points === null && trial.effects_factor === null)
    throw refuseValue('invalid_value', '/settings/trial', 'needs failure_points or effects_factor, or both: otherwise nothing is compared');
}

/** `before`, with the given members of `changes` in place of its own. */
function merge<T extends object>(before: T, changes: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const merged = { ...before };
  for (const key of Object.keys(changes ?? {}) as (keyof T)[]) {
    const value = changes?.[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** What comes later in the order of folders: what else happens when a task is deleted, and who is told of threads. */
export type Listeners = { deleted: (ctx: Ctx, taskId: number) => Promise<void>; claimThread: ClaimThread };

/** Marks the task as deleted; repeating it changes nothing (spec TK3). */
export async function deleteTask(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.delete']>, { deleted }: Listeners): Promise<undefined> {
  await store.lockTask(ctx, params.id);
  const task = await requireTask(ctx.db, params.id);
  if (task.deleted_at === null) await store.updateTask(ctx.db, task.id, { deleted_at: ctx.now, updated_at: ctx.now });
  await deleted(ctx, task.id);
  ctx.audit({
    resource: { type: 'task', id: task.id },
    changes: task.deleted_at === null ? { deleted_at: [null, ctx.now] } : {},
    summary: `Task "${task.name}" deleted`,
  });
}

export function requireAlive(task: Pick<Row<'tasks'>, 'id' | 'deleted_at'>): void {
  if (task.deleted_at !== null) throw new Refusal('task_deleted', `Task ${task.id} was deleted at ${task.deleted_at}.`);
}

/** Locks the task until the transaction ends, so that runs, schedules or triggers counted for it stay as counted. */
export { lockTask, selectTask as findTask } from './store.ts';

export async function requireTask(db: Db, id: number): Promise<Row<'tasks'>> {
  const row = await store.selectTask(db, { id });
  if (!row) throw notFound('task', id);
  return row;
}

export async function requireAliveTask(db: Db, id: number): Promise<Row<'tasks'>> {
  const task = await requireTask(db, id);
  requireAlive(task);
  return task;
}

/** The settings of a task. Those that are newer than the task have their defaults. Rows with the same text share what it stands for. */
export function settingsOf(row: Pick<Row<'tasks'>, 'settings'>): Readonly<TaskSettings> {
  return settingsIn(row.settings);
}

const settingsIn = byKey(
  (json: string): Readonly<TaskSettings> => TaskSettings.parse({ ...defaultTaskSettings, ...JsonObject.parse(JSON.parse(json)) }),
);

function taskOf(row: Row<'tasks'>): Task {
  const { id, name, description, current_version_id, deleted_at, created_at, updated_at } = row;
  return {
    id,
    name,
    description,
    current_version_id,
    deleted_at,
    created_at,
    updated_at,
    settings: settingsOf(row),
    error_handler_acts_for: row.handler_acts_for,
  };
}
