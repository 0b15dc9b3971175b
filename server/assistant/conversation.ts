import type { WorkItem } from '../automation/assistant/work.ts';
import { markedText } from '../mcp/answer.ts';
import type { ChatTurn, ToolCall } from '../providers/chat/chat.ts';
import type { Addresses } from './addresses.ts';
import { draftText } from './prompt.ts';

/** The conversation as the model gets it, made of what is stored of a thread; so any server goes on where another one ended. */

const SHORT_CHARACTERS = 300;
const SHORTENED = ' … (shortened: call the tool again if you need the rest)';

type Step = { step: number; text: string; calls: ToolCall[]; answers: { id: string; text: string; isError: boolean }[] };

/** What the program tells the model where a turn has to end. */
const ENDINGS: Readonly<Record<string, string>> = {
  calls_spent: 'All calls of tools for this message are used up.',
  repeated: 'The same failure came three times in a row.',
};
const ASK_FOR_END = 'Call no tool any more. Say in a few sentences what is done and what is missing, and invent nothing.';

/** `shortenedTo`: answers up to the item with this id are cut. */
export function turnsOf(items: readonly WorkItem[], shortenedTo: number, addresses: Addresses): ChatTurn[] {
  const turns: ChatTurn[] = [];
  let step: Step | undefined;
  const flush = (): void => {
    if (step && (step.text !== '' || step.calls.length > 0)) {
      turns.push({ role: 'assistant', text: step.text, calls: step.calls });
      if (step.answers.length > 0) turns.push({ role: 'tools', answers: step.answers });
    }
    step = undefined;
  };
  const stepOf = (number = 0): Step => {
    if (step?.step !== number) flush();
    step ??= { step: number, text: '', calls: [], answers: [] };
    return step;
  };
  for (const item of items) {
    const { made } = item;
    // Words that broke off are not a part of the conversation: the model says them anew.
    if (item.kind === 'words' && made.whole) stepOf(made.step).text = item.text;
    else if (item.kind === 'tool') addCall(stepOf(made.step), item, item.id <= shortenedTo);
    else if (item.kind === 'user') {
      flush();
      turns.push({ role: 'user', text: item.text + editorText(made, item.id <= shortenedTo, addresses) });
    } else if (item.kind === 'notice' && ENDINGS[item.code] !== undefined) {
      flush();
      turns.push({ role: 'user', text: `${ENDINGS[item.code]} ${ASK_FOR_END}` });
    }
  }
  flush();
  // A model answers a person or its tools, not itself.
  if (turns.at(-1)?.role === 'assistant') turns.push({ role: 'user', text: 'Go on.' });
  return turns;
}

function editorText({ draft, mark }: WorkItem['made'], isShortened: boolean, addresses: Addresses): string {
  if (!draft || mark === undefined) return '';
  return isShortened ? '' : `\n\nThe editor has this draft:\n${draftText(draft, mark, addresses)}`;
}

function addCall(step: Step, item: Extract<WorkItem, { kind: 'tool' }>, isShortened: boolean): void {
  const { made, tool: name, input, written, answer } = item;
  const { call: id = '', mark, more = null } = made;
  step.calls.push({
    id,
    name,
    input: isShortened ? shortInput(input) : input,
    written: isShortened ? written.slice(0, SHORT_CHARACTERS) : written,
  });
  const told = answer ?? 'interrupted: the turn ended before the tool had answered.';
  const text = isShortened && told.length > SHORT_CHARACTERS ? told.slice(0, SHORT_CHARACTERS) + SHORTENED : told;
  const isError = item.is_error || answer === null;
  step.answers.push({
    id,
    isError,
    text: mark === undefined ? text : markedText({ untrusted_data: text, more: isShortened ? null : more }, mark),
  });
}

function shortInput(input: Record<string, unknown> | null): Record<string, unknown> | null {
  if (input === null) return null;
  const short = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > SHORT_CHARACTERS ? `${value.slice(0, SHORT_CHARACTERS)}…` : value,
  ]);
  return Object.fromEntries(short);
}

/** Where answers are to be shortened to, more with each time; null: there is nothing left to shorten. */
export function shortenFurther(items: readonly WorkItem[], shortenedTo: number): number | null {
  const tools = items.filter(({ kind }) => kind === 'tool');
  const older = tools.at(-3)?.id ?? 0;
  if (older > shortenedTo) return older;
  const last = tools.at(-1)?.id ?? 0;
  return last > shortenedTo ? last : null;
}

/** English text and code have three to four bytes to a token. What a tokenizer does not know may be a token for each byte, and no more. */
const BYTES_A_TOKEN = 4;

/** The most tokens that a request can have, and about how many it has. */
export function tokensOf(request: unknown): { most: number; about: number } {
  const bytes = Buffer.byteLength(JSON.stringify(request));
  return { most: bytes, about: Math.ceil(bytes / BYTES_A_TOKEN) };
}
