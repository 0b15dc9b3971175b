import { z } from 'zod';
import { JsonObject } from '../../contract/run-events.ts';
import { CheckedDraft } from '../../contract/task-drafts.ts';
import { addItem, growItem, type Held, type Made } from '../automation/assistant/work.ts';
import { drawMark } from '../mcp/answer.ts';
import type { Caller } from '../mcp/caller.ts';
import type { Tool } from '../mcp/tool.ts';
import { carryOut, type ToolOutcome } from '../mcp/tool-call.ts';
import type { ToolCall } from '../providers/chat/chat.ts';

type Use = { call: ToolCall; step: number; tools: readonly Tool[]; caller: Caller };

const Ran = z.object({ id: z.number(), task_id: z.number(), status: z.string(), error_message: z.string().nullable() });
const Replayed = z.object({ run: Ran });

/** Calls a tool for the model and stores the call with its answer. Returns what failed, in words that are equal for equal failures; null: nothing. */
export async function useTool(held: Held, { call, step, tools, caller }: Use): Promise<string | null> {
  const { id: callId, name, written } = call;
  const input = JsonObject.nullable().catch(null).parse(call.input);
  const made: Made = { step, call: callId };
  const asked = { kind: 'tool' as const, tool: name.slice(0, 100), input, written: input === null ? written : '' };
  const id = await addItem(held, { ...asked, answer: null, is_error: false, ms: null, run: null, made });
  const since = performance.now();
  const outcome = await answerTo({ call: { ...call, input }, tools, caller });
  const { answered, text, data } = outcome;
  const ms = Math.round(performance.now() - since);
  const answer =
    answered === null
      ? text
      : typeof answered.untrusted_data === 'string'
        ? answered.untrusted_data
        : JSON.stringify(answered.untrusted_data);
  const told: Made = { ...made, ...(answered && { mark: drawMark(), more: answered.more }), ...factOf(name, data) };
  await growItem(held, { ...asked, id, answer, is_error: answered === null, ms, run: runOf(data), made: told });
  return failureOf(name, outcome);
}

async function answerTo({ call, tools, caller }: Omit<Use, 'step'>): Promise<ToolOutcome> {
  const refused = (text: string): ToolOutcome => ({ text, answered: null, data: null });
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool)
    return refused(`There is no tool ${JSON.stringify(call.name.slice(0, 100))}. There are: ${tools.map(({ name }) => name).join(', ')}.`);
  if (call.input === null) return refused('The input is no JSON object; it may have been cut off. Write it again, shorter.');
  return carryOut(tool, call.input, caller);
}

function runOf(data: unknown): { task_id: number; run_id: number } | null {
  const direct = Ran.safeParse(data);
  const run = direct.success ? direct.data : Replayed.safeParse(data).data?.run;
  return run ? { task_id: run.task_id, run_id: run.id } : null;
}

/** What the evidence at the end needs to know of a check: whether it found nothing. */
function factOf(tool: string, data: unknown): Pick<Made, 'ok'> {
  const checked = tool === 'check' ? CheckedDraft.safeParse(data) : undefined;
  if (!checked?.success || checked.data.unchecked !== null) return {};
  const { warnings, type_faults, permissions_missing } = checked.data;
  return { ok: warnings.length === 0 && permissions_missing.length === 0 && type_faults.every(({ severity }) => severity !== 'error') };
}

/** A dry run that ends badly is a failure of the draft, although the tool did its work. */
function failureOf(tool: string, { answered, text, data }: ToolOutcome): string | null {
  if (answered === null) return `${tool}: ${text}`;
  const run = tool === 'dry_run' ? Ran.safeParse(data).data : undefined;
  return run && run.status !== 'success' && run.status !== 'running' ? `${tool}: ${run.status} ${run.error_message}` : null;
}
