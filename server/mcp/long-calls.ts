import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toRefusal } from '../calls/problem.ts';
import { Bounds, markedText } from './answer.ts';
import type { Caller } from './caller.ts';
import type { Tool } from './tool.ts';
import { answeredTo, carryOut, type ToolOutcome } from './tool-call.ts';
import { dryRunTool, endedDryRun } from './tools/dry-run.ts';

/**
 * The Tasks extension of the protocol (SEP-2663): a dry run that takes long is answered with a task, which the client asks for again and
 * again, instead of keeping its request open. The task is the run itself, so any server tells how it stands (spec MC10).
 */

const TASKS = 'io.modelcontextprotocol/tasks';
/** Most dry runs have ended by then, and are answered at once. */
const AT_ONCE_SECONDS = 2;
const POLL_MS = 1000;
/** The task, the run, and how long its answer may be. */
const TASK_ID = /^dry_run\.(\d{1,15})\.(\d{1,15})\.(\d{1,6})$/;

const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()) }) });
const Seconds = z.number().catch(AT_ONCE_SECONDS);
const DryRun = z.object({ id: z.int(), task_id: z.int(), status: z.string(), started_at: z.string(), finished_at: z.string().nullable() });
const Named = z.object({ taskId: z.string() });

type CallResult = { content: { type: 'text'; text: string }[]; structuredContent?: Record<string, unknown>; isError?: true };

function resultOf({ text, answered }: Pick<ToolOutcome, 'text' | 'answered'>): CallResult {
  const content = [{ type: 'text' as const, text }];
  return answered ? { content, structuredContent: { ...answered } } : { content, isError: true };
}

/** Calls a tool. A dry run that goes on is answered with a task, where the request says that the client knows tasks. */
export async function callTool(tool: Tool, given: Record<string, unknown>, caller: Caller, { mcpReq }: ServerContext): Promise<CallResult> {
  if (tool !== dryRunTool || !knowsTasks(mcpReq)) return resultOf(await carryOut(tool, given, caller));
  const wait_seconds = Math.min(AT_ONCE_SECONDS, Seconds.parse(given['wait_seconds']));
  const outcome = await carryOut(tool, { ...given, wait_seconds }, caller);
  const run = DryRun.safeParse(outcome.data).data;
  return { ...resultOf(outcome), ...(run?.status === 'running' && { resultType: 'task', ...taskOf(run, Bounds.parse(given).max_bytes) }) };
}

function knowsTasks({ envelope }: ServerContext['mcpReq']): boolean {
  const { extensions } = Envelope.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? { extensions: {} };
  return Object.hasOwn(extensions, TASKS);
}

/** Lets a client ask for the tasks that it was answered with. */
export function addTasks({ server }: McpServer, caller: Caller): void {
  server.registerCapabilities({ extensions: { [TASKS]: {} } });
  server.setRequestHandler('tasks/get', { params: Named }, async ({ taskId }) => {
    const { path, run_id, max_bytes } = placeOf(taskId);
    const data = await refusedAsInvalid(() => endedDryRun(caller, path, { run_id, wait_seconds: 0 }));
    const task = taskOf(DryRun.parse(data), max_bytes);
    if (task.status !== 'completed') return task;
    const answered = answeredTo(caller, data, { max_bytes });
    return { ...task, result: { resultType: 'complete', ...resultOf({ text: markedText(answered), answered }) } };
  });
  // No task asks its client for anything, and a dry run ends by itself: both are told no more than that the task is known.
  for (const method of ['tasks/update', 'tasks/cancel'])
    server.setRequestHandler(method, { params: Named }, async ({ taskId }) => {
      await refusedAsInvalid(() => caller.request('GET', placeOf(taskId).path));
      return {};
    });
}

function taskOf({ id, task_id, status, started_at, finished_at }: z.infer<typeof DryRun>, maxBytes: number) {
  return {
    taskId: `dry_run.${task_id}.${id}.${Math.min(Math.max(0, Math.trunc(maxBytes)), 999_999)}`,
    status: status === 'running' ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed',
    createdAt: started_at,
    lastUpdatedAt: finished_at ?? new Date().toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

function placeOf(taskId: string): { path: string; run_id: number; max_bytes: number } {
  const [, task, run, bytes] = TASK_ID.exec(taskId) ?? [];
  if (run === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${JSON.stringify(taskId.slice(0, 100))}.`);
  return { path: `/ai-tasks/${task}/runs/${run}`, run_id: Number(run), max_bytes: Number(bytes) };
}

async function refusedAsInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, toRefusal(error).message);
  }
}
