import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallOptions } from '../../../contract/calls.ts';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { VersionComment } from '../../../contract/version-comments.ts';
import { api, tagged } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { queryOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import { foundTasks } from '../../parts/tasks.ts';

export const TASKS_PER_PAGE = 50;
export const RUNS_PER_PAGE = 20;
const NAMES_MAX = 200;
/** So many of a task's newest runs are searched for dry runs and replays of a version. */
const RUNS_LOOKED_AT = 100;
const EFFECTS_MAX = 1000;
const UPCOMING = 5;
const RUN_POLL_MS = 5000;

export type TaskRow = ResponseOf<Endpoints['ai_tasks.list']>['tasks'][number];
export type TaskDetail = ResponseOf<Endpoints['ai_tasks.get']>;
export type VersionRow = TaskDetail['versions'][number];
export type VersionDetail = ResponseOf<Endpoints['ai_tasks.get_version']>;

export type ExampleRow = ResponseOf<Endpoints['task_examples.list']>[number];
export type Example = ResponseOf<Endpoints['task_examples.get']>;
export type NewTask = Parameters<typeof api.ai_tasks.create>[0];
export type TaskSettings = Example['settings'];

type BodyOf<Name extends keyof typeof api.ai_tasks> = Parameters<(typeof api.ai_tasks)[Name]>[1];

export function tasksPage({ q, deleted, cursor }: { q?: string; deleted?: true; cursor?: string }) {
  const offset = cursor === undefined ? undefined : Number(cursor);
  return queryOf('ai_tasks.list', api.ai_tasks.list, { placeholderData: keepPreviousData })({
    limit: TASKS_PER_PAGE,
    ...defined({ search: q, include_deleted: deleted, offset }),
  });
}

/** The names of the tasks that are not deleted, the latest changed ones first. */
export const taskNames = foundTasks('', { limit: NAMES_MAX });

const runs = queryOf('ai_tasks.list_runs', api.ai_tasks.list_runs, { placeholderData: keepPreviousData });

export function taskRuns(id: number, before?: number) {
  return runs(id, { limit: RUNS_PER_PAGE, ...defined({ before_id: before }) });
}

/** The next times of an expression as it is typed. */
export function nextTimes(id: number, cron: string, timezone: string) {
  const query = { cron, timezone, count: UPCOMING };
  return queryOptions({
    queryKey: ['ai_tasks.preview_schedule', id, query],
    queryFn: () => api.ai_tasks.preview_schedule(id, query),
    enabled: cron.trim() !== '',
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
}

/** A version, as it was when it was read first: what somebody approves must not change on the screen unnoticed. */
export const versionRecord = queryOf('ai_tasks.get_version', api.ai_tasks.get_version, {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
});

export const versionDecisions = queryOf('ai_tasks.list_version_approvals', api.ai_tasks.list_version_approvals);

const COMMENTS_PER_PAGE = 100;

/** Every comment on the versions of a task, oldest first. */
export function taskComments(id: number) {
  return queryOptions({
    queryKey: ['ai_tasks.list_comments', id],
    async queryFn() {
      const all: VersionComment[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await api.ai_tasks.list_comments(id, { per_page: COMMENTS_PER_PAGE, ...defined({ cursor }) });
        all.push(...page.data);
        if (page.next_cursor === null) return all;
        cursor = page.next_cursor;
      }
    },
  });
}

export const commentOn = (id: number, versionId: number, body: { line: number; text: string }, options: CallOptions) =>
  api.ai_tasks.create_comment(id, versionId, body, options);
export const answerComment = (id: number, commentId: number, text: string, options: CallOptions) =>
  api.ai_tasks.answer_comment(id, commentId, { text }, options);
export const resolveThread = (id: number, commentId: number, resolved: boolean) => api.ai_tasks.update_comment(id, commentId, { resolved });

/** The newest runs of a task, among them the evidence for a version. */
export function recentRuns(id: number) {
  return queryOf('ai_tasks.list_runs', api.ai_tasks.list_runs)(id, { limit: RUNS_LOOKED_AT });
}

/** How the task's runs did in the last month. */
export const taskHealth = queryOf('ai_tasks.get_health', api.ai_tasks.get_health);

/** How a run goes, without its log; the stream tells when it is over. */
export function runState(id: number, runId: number, isOver: boolean) {
  return queryOptions({
    queryKey: ['ai_tasks.get_run', id, runId, isOver],
    queryFn: () => api.ai_tasks.get_run(id, runId),
    placeholderData: keepPreviousData,
    refetchInterval: isOver ? false : RUN_POLL_MS,
  });
}

/** What a run changed, or a dry run would. */
export function runEffects(id: number, runId: number) {
  return queryOf('ai_tasks.list_effects', api.ai_tasks.list_effects)(id, runId, { limit: EFFECTS_MAX });
}

/** What a run that goes on asks. */
export const runPrompts = queryOf('ai_tasks.list_prompts', api.ai_tasks.list_prompts, { refetchInterval: RUN_POLL_MS });
export const replayReport = queryOf('replays.get', api.replays.get);

/** The examples come with the program, so they are read once. */
const examplesStay = { staleTime: Number.POSITIVE_INFINITY, refetchInterval: false } as const;
export const exampleList = queryOptions({ queryKey: ['task_examples.list'], queryFn: () => api.task_examples.list(), ...examplesStay });
export function exampleOf(name: string) {
  return queryOptions({ queryKey: ['task_examples.get', name], queryFn: () => api.task_examples.get(name), ...examplesStay });
}

export const readTask = (id: number) => tagged(api.ai_tasks.get(id));

export const readRun = (id: number, runId: number) => api.ai_tasks.get_run(id, runId);

export const createTask = (body: NewTask, options: CallOptions) => api.ai_tasks.create(body, options);
export const updateTask = (id: number, body: BodyOf<'update'>, options: CallOptions) => api.ai_tasks.update(id, body, options);
export const deleteTask = (id: number) => api.ai_tasks.delete(id);
export const tryDraft = (body: Parameters<typeof api.ai_tasks.try_draft>[0], options: CallOptions) => api.ai_tasks.try_draft(body, options);
export const startRun = (id: number, body: BodyOf<'start_run'>, options: CallOptions) => api.ai_tasks.start_run(id, body, options);
export const createVersion = (id: number, body: BodyOf<'create_version'>, options: CallOptions) =>
  api.ai_tasks.create_version(id, body, options);
type ChangeOf<Name extends 'update_schedule' | 'update_trigger' | 'update_hook'> = Parameters<(typeof api.ai_tasks)[Name]>[2];

/** The calls of what starts runs of a task. */
export const schedules = (taskId: number) => ({
  list: wholeList('ai_tasks.list_schedules', { taskId }, () => api.ai_tasks.list_schedules(taskId)),
  get: (id: number) => api.ai_tasks.get_schedule(taskId, id),
  create: (body: BodyOf<'create_schedule'>, options: CallOptions) => api.ai_tasks.create_schedule(taskId, body, options),
  update: (id: number, body: ChangeOf<'update_schedule'>, options: CallOptions) => api.ai_tasks.update_schedule(taskId, id, body, options),
  remove: (id: number) => api.ai_tasks.delete_schedule(taskId, id),
});

export const triggers = (taskId: number) => ({
  list: wholeList('ai_tasks.list_triggers', { taskId }, () => api.ai_tasks.list_triggers(taskId)),
  get: (id: number) => api.ai_tasks.get_trigger(taskId, id),
  create: (body: BodyOf<'create_trigger'>, options: CallOptions) => api.ai_tasks.create_trigger(taskId, body, options),
  update: (id: number, body: ChangeOf<'update_trigger'>, options: CallOptions) => api.ai_tasks.update_trigger(taskId, id, body, options),
  remove: (id: number) => api.ai_tasks.delete_trigger(taskId, id),
});

export const hooks = (taskId: number) => ({
  list: wholeList('ai_tasks.list_hooks', { taskId }, () => api.ai_tasks.list_hooks(taskId)),
  get: (id: number) => api.ai_tasks.get_hook(taskId, id),
  create: (body: BodyOf<'create_hook'>, options: CallOptions) => api.ai_tasks.create_hook(taskId, body, options),
  update: (id: number, body: ChangeOf<'update_hook'>, options: CallOptions) => api.ai_tasks.update_hook(taskId, id, body, options),
  rotate: (id: number) => api.ai_tasks.rotate_hook(taskId, id),
  remove: (id: number) => api.ai_tasks.delete_hook(taskId, id),
});

/** What was on the screen of a version: the server refuses the approval of anything else. */
export function reviewedOf(version: VersionDetail) {
  const { source_sha256, mail_to, http_allow, secrets, may_start } = version;
  const change_request_id = version.change_request?.id ?? null;
  return { source_sha256, permissions: [...permissionsOf(version)], mail_to, http_allow, secrets, may_start, change_request_id };
}

export const approveVersion = (id: number, version: VersionDetail, options: CallOptions) =>
  api.ai_tasks.approve_version(id, version.id, reviewedOf(version), options);
export const applyProposal = (id: number, version: VersionDetail, runId: number, options: CallOptions) =>
  api.proposals.apply(id, version.id, { ...reviewedOf(version), run_id: runId }, options);
export const rejectVersion = (id: number, versionId: number, reason: string, options: CallOptions) =>
  api.ai_tasks.reject_version(id, versionId, { reason }, options);
export const requestChanges = (id: number, versionId: number, comment: string, options: CallOptions) =>
  api.ai_tasks.request_changes(id, versionId, { comment }, options);
export const revokeVersion = (id: number, versionId: number, comment: string, options: CallOptions) =>
  api.ai_tasks.revoke_version(id, versionId, comment.trim() === '' ? {} : { comment }, options);
export const continueVersion = (id: number, versionId: number) => api.ai_tasks.continue_version(id, versionId, {});
export const replayRun = (id: number, runId: number, versionId: number, options: CallOptions) =>
  api.replays.start(id, runId, { version_id: versionId }, options);

/** A version stores its permissions as JSON text. */
export function permissionsOf({ permissions }: { permissions: string }): readonly string[] {
  const list: unknown = JSON.parse(permissions);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
