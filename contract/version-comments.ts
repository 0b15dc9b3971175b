import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { Id, Timestamp, text } from './values.ts';

/** So many comments one version may have. */
export const VERSION_COMMENTS_MAX = 500;

const WriterName = z.string().nullable().meta({ description: 'null if that admin was deleted' });

/** What an admin says about a line of a version's source. The first comment on a line and the answers to it are a thread (spec AP9). */
export const VersionComment = z
  .object({
    id: Id,
    task_id: Id,
    version_id: Id,
    version: z.int(),
    thread_id: Id.meta({ description: 'The first comment of the thread; its own id where it is the first' }),
    line: z.int().meta({ description: 'Of the source of the version, from 1' }),
    text: z.string(),
    created_by: Id,
    created_by_name: WriterName,
    created_at: Timestamp,
    edited_at: Timestamp.nullable(),
    resolved_at: Timestamp.nullable().meta({ description: 'Of the first comment, for its whole thread; null: it is open' }),
    resolved_by: Id.nullable(),
    resolved_by_name: WriterName,
  })
  .meta({ id: 'VersionComment' });
export type VersionComment = z.infer<typeof VersionComment>;

const Text = text({ min: 1, max: 4000, trim: true });

export const versionCommentsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_comments',
    method: 'GET',
    path: '/ai-tasks/{id}/comments',
    summary: 'List the comments on the versions of a task, oldest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'task',
    query: cursorQuery({
      version_id: Id.optional().meta({ description: 'Only comments on this version' }),
      open: z.boolean().optional().meta({ description: 'Only comments of threads that are open, or of those that are resolved' }),
    }),
    response: cursorPageOf(VersionComment),
  },
  {
    id: 'ai_tasks.get_comment',
    method: 'GET',
    path: '/ai-tasks/{id}/comments/{comment_id}',
    summary: 'Get a comment on a version',
    permission: 'admin_api.ai_tasks.read',
    record: 'version_comment',
    response: VersionComment,
  },
  {
    id: 'ai_tasks.create_comment',
    method: 'POST',
    path: '/ai-tasks/{id}/versions/{version_id}/comments',
    summary: `Comment on a line of a version; its author is told. A version has at most ${VERSION_COMMENTS_MAX} comments`,
    permission: 'admin_api.ai_tasks.read',
    record: 'task_version',
    body: z.object({ line: z.int().min(1), text: Text }),
    status: 201,
    response: VersionComment,
    location: '/ai-tasks/{task_id}/comments/{id}',
    refusals: ['out_of_range', 'too_many', 'task_deleted'],
  },
  {
    id: 'ai_tasks.answer_comment',
    method: 'POST',
    path: '/ai-tasks/{id}/comments/{comment_id}/answers',
    summary: 'Answer in the thread of a comment; its author, and whoever wrote in the thread, are told',
    permission: 'admin_api.ai_tasks.read',
    record: 'version_comment',
    body: z.object({ text: Text }),
    status: 201,
    response: VersionComment,
    location: '/ai-tasks/{task_id}/comments/{id}',
    refusals: ['too_many', 'task_deleted'],
  },
  {
    id: 'ai_tasks.update_comment',
    method: 'PATCH',
    path: '/ai-tasks/{id}/comments/{comment_id}',
    summary: "Change the text of one's own comment, or resolve or reopen the thread that it began",
    permission: 'admin_api.ai_tasks.read',
    record: 'version_comment',
    body: z.object({ text: Text.optional(), resolved: z.boolean().optional() }),
    response: VersionComment,
    refusals: ['forbidden', 'invalid_value', 'task_deleted'],
  },
);
