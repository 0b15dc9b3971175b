import { addItem, growItem, type Held, type Reserved, readThread, reserve, settle, type ThreadNow } from '../automation/assistant/work.ts';
import { drawMark } from '../mcp/answer.ts';
import { shownSchema, type Tool } from '../mcp/tool.ts';
import { pause } from '../process/signal.ts';
import type { ChatAccount, ChatPart, ChatRequest, ToolCall } from '../providers/chat/chat.ts';
import { AccountRefused, ContextTooLong, LlmBusy, LlmFailed, PromptRefused } from '../providers/llm/llm.ts';
import { redact } from '../providers/redaction.ts';
import { addressesOf } from './addresses.ts';
import { shortenFurther, tokensOf, turnsOf } from './conversation.ts';
import { CannotGoOn } from './faults.ts';
import { draftText, systemPrompt } from './prompt.ts';

/** One question to the model, and what it said. */

/** `step`: names the question; what the model said in it belongs together. */
export type Said = { step: number; calls: readonly ToolCall[]; reason: Extract<ChatPart, { kind: 'end' }>['reason'] };

type Asking = { thread: ThreadNow; tools: readonly Tool[]; until: AbortSignal; identify(): Promise<unknown> };

const ANSWER_TOKENS = 8192;
/** How often a busy service is asked again. */
const TRIES = 3;

export async function askModel(held: Held, asking: Asking): Promise<Said> {
  let { thread } = asking;
  for (let tries = 0; ; ) {
    try {
      return await ask(held, { ...asking, thread });
    } catch (error) {
      asking.until.throwIfAborted();
      if (error instanceof LlmBusy && tries < TRIES) {
        tries += 1;
        await pause(error.retryAfterSeconds * 1000, asking.until);
        asking.until.throwIfAborted();
        // Meanwhile the rights may have been taken.
        await asking.identify();
      } else if (error instanceof ContextTooLong) await shorten(held, thread, error);
      else throw error;
      thread = await readThread(held);
    }
  }
}

/** Older answers of tools go first; a notice says so. */
async function shorten(held: Held, { items, row }: ThreadNow, cause: Error): Promise<void> {
  const to = shortenFurther(items, row.shortened_to);
  if (to === null) throw new CannotGoOn('too_long', 'The conversation is longer than the model can read. Begin a new thread.', { cause });
  const text = 'The conversation is longer than the model can read: older answers of tools were shortened.';
  await addItem(held, { kind: 'notice', code: 'shortened', text }, { shortened_to: to });
}

async function ask(held: Held, { thread, tools, until }: Asking): Promise<Said> {
  const { services } = held;
  const { assistant, shop_name, timezone } = await services.settings.get(services.store.reader);
  if (assistant === null) throw new CannotGoOn('failed', 'The assistant was switched off in the settings of the shop.');
  const request = requestOf(thread, tools, { shop: shop_name, timezone });
  const prompt = tokensOf(request);
  const reserved = await reserve(held, { prompt: prompt.most, answer: ANSWER_TOKENS });
  if (typeof reserved === 'string') throw new CannotGoOn('limit_reached', reserved);
  const { provider, base_url, model, api_key } = assistant;
  const account: ChatAccount = { provider, base_url, model, api_key };
  const step = thread.row.row_version + 1;
  try {
    const { text, said, usage } = await listen(
      held,
      step,
      services.chat.stream(account, { ...request, maxTokens: reserved.maxTokens }, until),
    );
    const about = prompt.about + tokensOf([text, said.calls]).about;
    await settle(held, reserved, usage ? usage.prompt_tokens + usage.completion_tokens : about);
    return said;
  } catch (error) {
    throw await accountFor(held, reserved, error, account);
  }
}

function requestOf(thread: ThreadNow, tools: readonly Tool[], shop: { shop: string; timezone: string }): Omit<ChatRequest, 'maxTokens'> {
  const { row, items, draft } = thread;
  const addresses = addressesOf(thread);
  const place = { ...shop, taskId: row.task_id, runId: row.run_id, seesPeople: row.sees_personal_data === 1 };
  // The model would not find the draft any more in what was shortened.
  const now = row.shortened_to > 0 && draft !== null ? `\n\nThe draft is now:\n${draftText(draft, drawMark(), addresses)}` : '';
  return {
    system: systemPrompt(place) + now,
    turns: turnsOf(items, row.shortened_to, addresses),
    tools: tools.map(({ name, description, input }) => ({
      name,
      description,
      input: shownSchema(input)['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
    })),
  };
}

/** How often what the model says is stored while it comes. */
const STORE_MS = 250;

/** Stores the words as they come, and gathers the calls of tools. */
async function listen(held: Held, step: number, parts: AsyncIterable<ChatPart>) {
  let text = '';
  let id: number | undefined;
  let storedAt = Number.NEGATIVE_INFINITY;
  const calls: ToolCall[] = [];
  const store = async (whole: boolean): Promise<void> => {
    const item = { kind: 'words' as const, text, made: { step, whole } };
    if (id === undefined) id = await addItem(held, item);
    else await growItem(held, { ...item, id });
    storedAt = performance.now();
  };
  for await (const part of parts) {
    if (part.kind === 'text') {
      text += part.text;
      if (text !== '' && performance.now() - storedAt >= STORE_MS) await store(false);
    } else if (part.kind === 'call') calls.push(part.call);
    else {
      if (text !== '') await store(true);
      return { text, said: { step, calls, reason: part.reason }, usage: part.usage };
    }
  }
  throw new LlmFailed('the answer broke off');
}

/** Gives back what was reserved where no answer was made, and says what went wrong. */
async function accountFor(held: Held, reserved: Reserved, error: unknown, { api_key }: ChatAccount): Promise<unknown> {
  const wasRefused = [LlmBusy, AccountRefused, PromptRefused, ContextTooLong].some((kind) => error instanceof kind);
  if (wasRefused) await settle(held, reserved, 0);
  if (error instanceof LlmBusy || error instanceof ContextTooLong) return error;
  const said = error instanceof Error ? redact(error.message, [api_key]) : '';
  if (error instanceof AccountRefused)
    return new CannotGoOn('failed', `The provider refuses the account in the settings of the assistant: ${said}`, { cause: error });
  if (error instanceof PromptRefused) return new CannotGoOn('failed', `The provider refuses the request: ${said}`, { cause: error });
  if (error instanceof LlmFailed)
    return new CannotGoOn('failed', `The model gave no whole answer: ${said}. Retry goes on.`, { cause: error });
  return error;
}
