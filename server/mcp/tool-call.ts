import type { z } from 'zod';
import { problemOf, toRefusal } from '../calls/problem.ts';
import { type Answered, Bounds, bounded, markedText } from './answer.ts';
import type { Caller } from './caller.ts';
import { hintFor } from './hints.ts';
import { withoutAddresses } from './scrub.ts';
import type { Tool } from './tool.ts';

/** What a model gets of a call: `text` to read, and its data; null: it was refused, and the text says why and what to do. */
export type ToolOutcome = { text: string; answered: Answered | null; data: unknown };

/** The part of the data that was asked for, as the caller may see it. */
export function answeredTo({ seesPersonalData }: Caller, data: unknown, asked: z.input<typeof Bounds>): Answered {
  // Before it is cut: a part of an address would not be known for one.
  return bounded(seesPersonalData ? data : withoutAddresses(data), Bounds.parse(asked));
}

/** Calls a tool for an agent or for the assistant, and notes it in the log. */
export async function carryOut(tool: Tool, given: Record<string, unknown>, caller: Caller): Promise<ToolOutcome> {
  try {
    const data = await tool.run(given, caller);
    const answered = answeredTo(caller, data, given);
    await note(caller, { tool, status: 'success', detail: shortly(given) });
    return { text: markedText(answered), answered, data };
  } catch (error) {
    const refusal = toRefusal(error);
    const { status, code, detail, errors = [] } = problemOf(refusal, '/mcp', '');
    if (status >= 500) caller.log.error({ err: refusal.cause ?? error, tool: tool.name }, 'a tool of agents failed');
    await note(caller, { tool, status: 'error', detail: { ...shortly(given), code } });
    const places = errors.map(({ pointer, parameter, detail: what }) => `\n- ${pointer ?? parameter ?? ''}: ${what}`).join('');
    const told = caller.seesPersonalData ? `${detail}${places}` : withoutAddresses(`${detail}${places}`);
    return { text: `${code}: ${told}${hintFor(code)}`, answered: null, data: null };
  }
}

/** What the tool did stands, whether or not it can be noted. */
async function note(caller: Caller, line: Parameters<Caller['note']>[0]): Promise<void> {
  try {
    await caller.note(line);
  } catch (err) {
    caller.log.error({ err, tool: line.tool.name }, 'a call of a tool of agents could not be noted');
  }
}

const SHOWN_CHARACTERS = 200;

/** What a call was asked, without its long texts and without its values about people. */
function shortly(given: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(given).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, SHOWN_CHARACTERS) : value]));
}
