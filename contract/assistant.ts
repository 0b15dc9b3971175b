import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { cursorPageOf, cursorQuery } from './paging.ts';
import { JsonObject } from './run-events.ts';
import { assistantProviders } from './settings.ts';
import { SOURCE_BODY_LIMIT, SOURCE_MAX_BYTES } from './tasks.ts';
import { Id, Timestamp, text } from './values.ts';

/** The assistant of the console: threads in which a model writes a draft for the admin who asks. Nobody else sees a thread (spec AS1). */

const texts = (most: number) => z.array(z.string().max(2000)).max(most);

/** The draft as the editor has it: it may be unfinished, so its values are checked where it is run or handed in. */
export const AssistantDraft = z
  .object({
    source_code: z.string().max(SOURCE_MAX_BYTES),
    permissions: texts(100),
    parameters: z.array(JsonObject).max(100),
    mail_to: texts(50).default([]),
    http_allow: texts(50).default([]),
    secrets: texts(50).default([]).meta({ description: 'Names of secrets' }),
    may_start: z.array(Id).max(50).default([]),
  })
  .meta({ id: 'AssistantDraft' });
export type AssistantDraft = z.infer<typeof AssistantDraft>;

const RunPlace = z.object({ task_id: Id, run_id: Id });

export const noticeCodes = [
  'shortened',
  'calls_spent',
  'repeated',
  'limit_reached',
  'too_long',
  'stopped',
  'refused',
  'cut_off',
  'failed',
] as const;

const item = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ id: Id, at: Timestamp, kind: z.literal(kind), ...shape });

/** What happened in a thread, in its order. An item may grow; then it is sent again, whole, with the same id. */
export const AssistantItem = z
  .discriminatedUnion('kind', [
    item('user', { text: z.string() }),
    item('words', { text: z.string().meta({ description: 'What the model says; it grows while it comes' }) }),
    item('tool', {
      tool: z.string(),
      input: JsonObject.nullable().meta({ description: 'null: the model wrote no JSON object; `written` is what it wrote' }),
      written: z.string(),
      answer: z.string().nullable().meta({ description: 'What the model got; null while the tool works' }),
      is_error: z.boolean(),
      ms: z.int().nullable(),
      run: RunPlace.nullable().meta({ description: 'The run that the tool started' }),
    }),
    item('draft', {
      by: z.enum(['assistant', 'person']),
      before: AssistantDraft.nullable(),
      after: AssistantDraft,
    }),
    item('evidence', {
      type_checks: z.boolean().nullable().meta({ description: 'null: nobody checked the types' }),
      dry_run: RunPlace,
      has_stand_ins: z.boolean().default(false).meta({
        description: 'Whether it ran with stand-ins in place of the e-mail addresses of the draft, since people are hidden from the thread',
      }),
      changes_by_kind: z.record(z.string(), z.int()),
      permissions_used: z.array(z.string()),
    }),
    item('notice', { code: z.enum(noticeCodes), text: z.string() }),
  ])
  .meta({ id: 'AssistantItem' });
export type AssistantItem = z.infer<typeof AssistantItem>;

export const AssistantThread = z
  .object({
    id: Id,
    task_id: Id.nullable(),
    run_id: Id.nullable().meta({ description: 'The run that the thread was begun about' }),
    title: z.string().meta({ description: 'The beginning of the first message; empty before it' }),
    state: z.enum(['idle', 'working', 'failed', 'stopped']),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
    tokens_used: z.int().meta({ description: 'With those that are reserved while the model answers' }),
    tokens_max: z.int().nullable().meta({ description: 'null: no model is set' }),
    sees_personal_data: z.boolean(),
    missing_permissions: z.array(z.string()).meta({
      description:
        'Permissions by which the assistant may have read for the thread and which the token lacks: it can only be stopped and deleted, and its title and error are not told',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'AssistantThread' });
export type AssistantThread = z.infer<typeof AssistantThread>;

export const AssistantConversation = AssistantThread.extend({
  draft: AssistantDraft.nullable(),
  items: z.array(AssistantItem),
}).meta({ id: 'AssistantConversation' });
export type AssistantConversation = z.infer<typeof AssistantConversation>;

/** A thread belongs to an admin: no agent, task or runner reaches it. */
const read = { permission: 'admin_api.ai_tasks.read', taskPermission: null } as const;
const write = { permission: 'admin_api.ai_tasks.write', taskPermission: null } as const;
const thread = { record: 'assistant_thread' } as const;

export const assistantEndpoints = endpointsOf(
  {
    id: 'assistant.status',
    method: 'GET',
    path: '/assistant',
    summary: 'Whether a model is set for the assistant, and how many tokens are left today',
    ...read,
    response: z.object({
      configured: z.boolean(),
      provider: z.enum(assistantProviders).nullable(),
      model: z.string().nullable(),
      missing: z.string().nullable().meta({ description: 'One sentence: what to set; null: nothing' }),
      tokens_left_today: z.int().nullable().meta({ description: 'Of the caller; null: no model is set' }),
      shop_tokens_left_today: z.int().nullable(),
    }),
  },
  {
    id: 'assistant.create_thread',
    method: 'POST',
    path: '/assistant/threads',
    summary: 'Begin a thread: about a task, about a run of it, or about a new task',
    ...write,
    body: z.object({
      task_id: Id.optional(),
      run_id: Id.optional().meta({ description: 'A run of the task, which ended badly; the draft begins as what it ran' }),
      sees_personal_data: z.boolean().default(false).meta({
        description: 'Whether the model is sent what the shop knows of people: names, addresses, texts. Otherwise they are hidden from it',
      }),
    }),
    status: 201,
    response: AssistantConversation,
    location: '/assistant/threads/{id}',
    refusals: ['assistant_not_configured', 'task_not_found', 'task_deleted'],
  },
  {
    id: 'assistant.list_threads',
    method: 'GET',
    path: '/assistant/threads',
    summary: "List the caller's threads, newest first",
    ...read,
    query: cursorQuery({ task_id: Id.optional() }),
    response: cursorPageOf(AssistantThread),
  },
  {
    id: 'assistant.get_thread',
    method: 'GET',
    path: '/assistant/threads/{id}',
    summary: 'Get a thread with its draft and all that happened in it',
    ...read,
    ...thread,
    response: AssistantConversation,
  },
  {
    id: 'assistant.delete_thread',
    method: 'DELETE',
    path: '/assistant/threads/{id}',
    summary: 'Delete a thread; if the assistant works on it, it stops',
    ...write,
    ...thread,
    status: 204,
  },
  {
    id: 'assistant.send_message',
    method: 'POST',
    path: '/assistant/threads/{id}/messages',
    summary: 'Ask the assistant; it works on after the answer, and the events of the thread tell what it does',
    ...write,
    ...thread,
    body: z.object({
      text: text({ min: 1, max: 20_000, trim: true }),
      draft: AssistantDraft.optional().meta({ description: "What the editor has now; it replaces the thread's draft" }),
    }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    response: AssistantThread,
    refusals: ['assistant_not_configured', 'thread_working', 'thread_too_long'],
  },
  {
    id: 'assistant.stop',
    method: 'POST',
    path: '/assistant/threads/{id}/stop',
    summary: 'Stop the assistant, whichever server it works on; of a thread at rest, nothing changes',
    ...write,
    ...thread,
    response: AssistantThread,
  },
  {
    id: 'assistant.retry',
    method: 'POST',
    path: '/assistant/threads/{id}/retry',
    summary: 'Go on after an error, an interruption or a stop',
    ...write,
    ...thread,
    response: AssistantThread,
    refusals: ['assistant_not_configured', 'thread_working', 'thread_idle', 'thread_too_long'],
  },
  {
    id: 'assistant.events',
    method: 'GET',
    path: '/assistant/threads/{id}/events',
    summary: 'Follow a thread: what happened in it, from the first item or from the place that `Last-Event-ID` names',
    ...read,
    ...thread,
    stream: true,
    sse: {
      description: 'What happens in the thread; it ends when the thread is deleted, or may not be shown any more',
      events: {
        item: {
          description: 'An item that is new, or has grown',
          data: 'An item of the thread, as `GET /assistant/threads/{id}` shows it',
        },
        state: {
          description: 'The thread has changed; sent after the items of the same change',
          data: 'The thread with its draft, without its items',
        },
      },
      ends: false,
    },
  },
);
