import type { OpenAI } from 'openai';
import { z } from 'zod';
import { fetchStream } from '../llm/bounded-fetch.ts';
import { LlmFailed } from '../llm/llm.ts';
import { connectOpenAi, loadOpenAi, withMostTokens } from '../llm/openai-client.ts';
import type { Chat, ChatPart, ChatRequest, ChatTurn } from './chat.ts';
import { callOf, chatOf, inputAgain, type Writing } from './streaming.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/** Works with any server that implements OpenAI's chat completions (streamed, with tools), through OpenAI's own package. */
export function createOpenAiChat(silentMs: number): Chat {
  const http = { timeout: silentMs, fetch: fetchStream(silentMs) };
  return chatOf(
    {
      load: loadOpenAi,
      ask(openai, account, { system, turns, tools, maxTokens }, options) {
        const { completions } = connectOpenAi(openai, account, http).chat;
        const body = {
          model: account.model,
          messages: [{ role: 'system' as const, content: system }, ...turns.flatMap(messagesOf)],
          ...(tools.length > 0 && { tools: tools.map(toolOf) }),
          stream: true as const,
          stream_options: { include_usage: true },
        };
        return withMostTokens(openai, maxTokens, (most) => completions.create({ ...body, ...most }, options));
      },
      read,
    },
    silentMs,
  );
}

function toolOf({ name, description, input }: ChatRequest['tools'][number]): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: input } };
}

function messagesOf(turn: ChatTurn): Message[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
  if (turn.role === 'tools') return turn.answers.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  const { text, calls } = turn;
  if (text === '' && calls.length === 0) return [];
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(inputAgain(call)) },
  }));
  return [{ role: 'assistant', content: text === '' ? null : text, ...(tool_calls.length > 0 && { tool_calls }) }];
}

/** The parts of a chunk that we read; compatible servers leave out others. */
const CallDelta = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
type CallDelta = z.infer<typeof CallDelta>;
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({ content: z.string().nullish(), refusal: z.string().nullish(), tool_calls: z.array(CallDelta).nullish() })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullish(),
});

async function* read(chunks: AsyncIterable<unknown>): AsyncGenerator<ChatPart> {
  const calls: (Writing & { index: number })[] = [];
  let usage: z.infer<typeof Chunk>['usage'];
  let finish: string | null = null;
  let isRefused = false;
  for await (const chunk of chunks) {
    const { success, data } = Chunk.safeParse(chunk);
    if (!success) throw new LlmFailed('the answer is not a chat completion');
    usage = data.usage ?? usage;
    const [choice] = data.choices ?? [];
    const { content, refusal, tool_calls } = choice?.delta ?? {};
    for (const text of [content, refusal]) if (text) yield { kind: 'text', text };
    if (refusal) isRefused = true;
    for (const delta of tool_calls ?? []) write(calls, delta);
    finish = choice?.finish_reason ?? finish;
  }
  if (finish === null) return;
  const reason =
    isRefused || finish === 'content_filter' ? 'refusal' : finish === 'length' ? 'length' : calls.length > 0 ? 'calls' : 'stop';
  if (reason !== 'refusal') for (const call of calls) yield { kind: 'call', call: callOf(call) };
  yield { kind: 'end', reason, usage: usage ?? null };
}

/** Calls are told apart by their index, and by their id, because some servers number all of them 0. */
function write(calls: (Writing & { index: number })[], { index: given, id, function: said }: CallDelta): void {
  const index = given ?? calls.length - 1;
  let call = calls.findLast((one) => one.index === index);
  if (!call || (id && call.id !== '' && id !== call.id)) {
    call = { index, id: '', name: '', written: '' };
    calls.push(call);
  }
  call.id ||= id ?? '';
  call.name ||= said?.name ?? '';
  call.written += said?.arguments ?? '';
}
