import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import type { Row } from '../../../db/tables.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { Refusal, refuseValue } from '../../../verbs/problem.ts';
import { requireTask } from '../../tasks/domain.ts';
import { type HeldVersion, holdRunnableVersion, holdVersion, keepDraft, requireTryable } from '../../tasks/executed.ts';
import type { RunRow } from '../rows/store.ts';

type Body = InputOf<Endpoints['ai_tasks.start_run']>['body'];
type Task = Row<'tasks'>;

/** The version that a new run executes: the current one; a dry run may name another one, or bring a draft, which is stored here. */
export async function chooseVersion(ctx: Ctx, task: Task, body: Body): Promise<HeldVersion> {
  if (body.draft) return keepDraft(ctx, task.id, body.draft);
  if (!body.version_id) return requireCurrent(ctx, task);
  const version = await holdVersion(ctx, task.id, body.version_id);
  if (!version || version.state === 'draft')
    throw refuseValue('version_not_found', '/version_id', `task ${task.id} has no version ${body.version_id}`);
  if (body.dry_run === true) {
    requireTryable(ctx, version);
    return version;
  }
  if (version.state !== 'approved' || version.id !== task.current_version_id) {
    const detail = `version ${version.version} (${version.state}) is not the current one; only a dry run ("dry_run": true) can be of another version`;
    throw refuseValue('invalid_value', '/version_id', detail);
  }
  return version;
}

/** What a run that resumes another executes: the same, or the current version on request. */
export async function chooseAgain(ctx: Ctx, task: Task, body: Body, from: RunRow): Promise<HeldVersion> {
  const same = await holdVersion(ctx, task.id, from.version_id);
  if (same?.state === 'draft' && body.version === 'current') {
    const detail = `run ${from.id} is of a draft, and a run that resumes it keeps the draft; leave version out`;
    throw refuseValue('invalid_value', '/version', detail);
  }
  if (body.version === 'current') return requireCurrent(ctx, task);
  if (same && from.dry_run === 1) requireTryable(ctx, same);
  else if (same?.state !== 'approved') {
    throw new Refusal(
      'version_not_approved',
      'The version of the interrupted run is not approved any more; "version": "current" takes the current one.',
    );
  }
  return same;
}

/**
 * What a run that restarts from another executes: the same version, even if it is no longer the current one, or the one that was asked for.
 * Only a dry run may be of a further one.
 */
export async function chooseForRestart(
  ctx: Ctx,
  task: Task,
  { asked = null, isDry }: { asked: number | 'current' | null | undefined; isDry: boolean },
  from: RunRow,
): Promise<HeldVersion> {
  const id = asked ?? from.version_id;
  const same = await holdVersion(ctx, task.id, from.version_id);
  if (same?.state === 'draft' && id !== from.version_id) {
    const detail = `run ${from.id} is of a draft, and a run that restarts from it keeps the draft; leave version out`;
    throw refuseValue('invalid_value', '/version', detail);
  }
  if (id === 'current') return requireCurrent(ctx, task);
  const version = id === from.version_id ? same : await holdVersion(ctx, task.id, id);
  if (!version || (version.state === 'draft' && version !== same))
    throw refuseValue('version_not_found', '/version', `task ${task.id} has no version ${id}`);
  if (isDry) {
    requireTryable(ctx, version);
    return version;
  }
  if (version !== same && version.id !== task.current_version_id) {
    const detail = `version ${version.version} (${version.state}) is neither that of the run nor the current one; only a dry run ("dry_run": true) can be of another version`;
    throw refuseValue('invalid_value', '/version', detail);
  }
  if (version.state !== 'approved')
    throw new Refusal(
      'version_not_approved',
      `Version ${version.version} is ${version.state}; "version": "current" takes the current one.`,
    );
  return version;
}

/** The second look is for a version that was revoked while the first one waited for its lock: another version may have become current. */
async function requireCurrent(ctx: Ctx, task: Task): Promise<HeldVersion> {
  const find = (id: number | null) => (id === null ? undefined : holdRunnableVersion(ctx, task.id, id));
  const version = (await find(task.current_version_id)) ?? (await find((await requireTask(ctx.db, task.id)).current_version_id));
  if (!version) throw new Refusal('version_not_approved', `Task ${task.id} has no approved version to run.`);
  return version;
}
