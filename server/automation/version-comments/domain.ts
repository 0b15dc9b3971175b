import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { linesOf } from '../../../contract/source-text.ts';
import { VERSION_COMMENTS_MAX, type VersionComment } from '../../../contract/version-comments.ts';
import { tellAdmins } from '../../resources/notifications/domain.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { listPage } from '../../verbs/list-pages.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { lockTask, requireAlive, requireTask } from '../tasks/domain.ts';
import { findVersionRow, linkOf } from '../tasks/versions.ts';
import * as store from './store.ts';

export const recordVersions = {
  version_comment: {
    version: (db, { id, comment_id }) => store.selectRowVersion(db, Number(id), Number(comment_id)),
    derived: async (ctx, { comment_id }) => {
      const [comment] = await store.selectComments(ctx.db, [Number(comment_id)]);
      return [comment?.created_by_name, comment?.resolved_by_name];
    },
  },
} satisfies RecordVersions;

export async function listComments(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_comments']>) {
  const filter = { taskId: params.id, versionId: query.version_id, open: query.open };
  return listPage(query, { name: 'id', type: 'integer' }, store.comments(ctx, filter));
}

export function getComment(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get_comment']>): Promise<VersionComment> {
  return requireComment(ctx, params);
}

/** Comments on a line, and tells the author of the version (spec AP9). */
export async function createComment(
  ctx: Ctx,
  { params, body: { line, text } }: InputOf<Endpoints['ai_tasks.create_comment']>,
): Promise<VersionComment> {
  const { task, version } = await lockVersion(ctx, { taskId: params.id, versionId: params.version_id });
  const lines = linesOf(version.source_code).length;
  if (line > lines) throw refuseValue('out_of_range', '/line', `version ${version.version} has ${lines} ${lines === 1 ? 'line' : 'lines'}`);
  return write(ctx, { task, version, line, text, threadId: null, told: [version.created_by] });
}

export async function answerComment(ctx: Ctx, { params, body }: InputOf<Endpoints['ai_tasks.answer_comment']>): Promise<VersionComment> {
  const { version_id, thread_id, line } = await requireComment(ctx, params);
  const { task, version } = await lockVersion(ctx, { taskId: params.id, versionId: version_id });
  const told = [version.created_by, ...(await store.selectWriters(ctx.db, thread_id))];
  return write(ctx, { task, version, line, text: body.text, threadId: thread_id, told });
}

export async function updateComment(
  ctx: Ctx,
  { params, body: { text, resolved } }: InputOf<Endpoints['ai_tasks.update_comment']>,
): Promise<VersionComment> {
  await lockTask(ctx, params.id);
  requireAlive(await requireTask(ctx.db, params.id));
  const before = await requireComment(ctx, params);
  const { adminId } = actingAdmin(ctx);
  if (text !== undefined && before.created_by !== adminId)
    throw new Refusal('forbidden', `Comment ${before.id} is not yours; answer it instead.`);
  if (resolved !== undefined && before.thread_id !== before.id)
    throw refuseValue('invalid_value', '/resolved', `the thread is resolved as a whole: by its first comment, ${before.thread_id}`);
  const isEdited = text !== undefined && text !== before.text;
  const isResolved = resolved !== undefined && resolved !== (before.resolved_at !== null);
  if (isEdited) await store.updateComment(ctx.db, before.id, { text, edited_at: ctx.now });
  if (isResolved)
    await store.updateComment(ctx.db, before.id, {
      resolved_at: resolved ? ctx.now : null,
      resolved_by: resolved ? adminId : null,
    });
  ctx.audit({
    resource: { type: 'version_comment', id: before.id },
    changes: { ...(isEdited ? { text: [before.text, text] } : {}), ...(isResolved ? { resolved: [!resolved, resolved] } : {}) },
    summary: `Comment ${before.id} on version ${before.version} of task ${before.task_id}: ${
      isResolved ? (resolved ? 'resolved' : 'opened again') : isEdited ? 'text changed' : 'no change'
    }`,
  });
  return requireComment(ctx, params);
}

type Written = Awaited<ReturnType<typeof lockVersion>> & {
  line: number;
  text: string;
  threadId: number | null;
  /** Who may have to hear of it; whoever writes it need not. */
  told: readonly number[];
};

async function write(ctx: Ctx, { task, version, line, text, threadId, told }: Written): Promise<VersionComment> {
  const { adminId, name } = actingAdmin(ctx);
  if ((await store.countOfVersion(ctx.db, version.id)) >= VERSION_COMMENTS_MAX)
    throw new Refusal('too_many', `Version ${version.version} has ${VERSION_COMMENTS_MAX} comments, the most that may be.`);
  const later = { edited_at: null, resolved_at: null, resolved_by: null };
  const place = { task_id: task.id, version_id: version.id, thread_id: threadId, line };
  const id = await store.insertComment(ctx.db, { ...place, text, created_by: adminId, created_at: ctx.now, ...later });
  const where = `line ${line} of version ${version.version} of "${task.name}"`;
  await tellAdmins(
    ctx,
    told.filter((one) => one !== adminId),
    {
      type: 'ai_task_version_commented',
      title: threadId === null ? 'A comment on a version' : 'An answer to a comment on a version',
      // Not what it says: whoever may no longer read tasks still sees the notification.
      message: `${name}: ${where}`,
      link: linkOf(version),
      metadata: {
        ...{ task_id: task.id, version_id: version.id, comment_id: id, thread_id: threadId },
        ...{ task_name: task.name, version: version.version, line, by: name },
      },
    },
  );
  ctx.audit({
    resource: { type: 'version_comment', id },
    changes: { line: [null, line], text: [null, text], ...(threadId === null ? {} : { thread_id: [null, threadId] }) },
    summary: `Comment ${id} on ${where}`,
  });
  return requireComment(ctx, { id: task.id, comment_id: id });
}

/** Locks the task, so that no two comments at a time make one too many. */
async function lockVersion(ctx: Ctx, { taskId, versionId }: { taskId: number; versionId: number }) {
  await lockTask(ctx, taskId);
  const task = await requireTask(ctx.db, taskId);
  requireAlive(task);
  const version = await findVersionRow(ctx.db, taskId, versionId);
  if (!version) throw notFound('version', versionId);
  return { task, version };
}

async function requireComment(ctx: Ctx, { id, comment_id }: { id: number; comment_id: number }): Promise<VersionComment> {
  const [comment] = await store.selectComments(ctx.db, [comment_id]);
  if (comment?.task_id !== id) throw notFound('comment', comment_id);
  return comment;
}
