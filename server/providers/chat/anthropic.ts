import type { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import { loadOptional } from '../../process/optional-package.ts';
import { fetchStream } from '../llm/bounded-fetch.ts';
import { AccountRefused, LlmFailed } from '../llm/llm.ts';
import type { Chat, ChatAccount, ChatPart, ChatTurn, ChatUsage } from './chat.ts';
import { callOf, chatOf, inputAgain, type Writing } from './streaming.ts';

type Package = typeof import('@anthropic-ai/sdk');

/** Works with Anthropic's Messages API (streamed, with tools) through Anthropic's own package. */
export function createAnthropicChat(silentMs: number): Chat {
  const http = { timeout: silentMs, fetch: fetchStream(silentMs) };
  return chatOf(
    {
      load: () => loadOptional({ use: 'this model', name: '@anthropic-ai/sdk', refuse: AccountRefused }, () => import('@anthropic-ai/sdk')),
      ask: (anthropic, account, { system, turns, tools, maxTokens }, options) =>
        connect(anthropic, account, http).messages.create(
          {
            model: account.model,
            max_tokens: maxTokens,
            // Tools and system prompt are the same in each request of a thread, and cost a tenth once they were read.
            system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
            messages: turns.flatMap(messageOf),
            tools: tools.map(({ name, description, input }) => ({ name, description, input_schema: { ...input, type: 'object' } })),
            stream: true,
          },
          options,
        ),
      read,
    },
    silentMs,
  );
}

/** It takes nothing from the environment or from files of the package, repeats nothing and tells no trace. */
function connect(
  { Anthropic: Client }: Package,
  { base_url, api_key: key }: ChatAccount,
  http: { timeout: number; fetch: typeof fetch },
): Anthropic {
  return new Client({
    ...http,
    // The package adds `/v1`, which addresses for other clients contain.
    baseURL: base_url.replace(/\/(v1\/?)?$/, ''),
    apiKey: key ?? 'none',
    // A server that needs no key is not sent one. They stand here because headers of the environment would come before `apiKey`.
    defaultHeaders: { 'X-Api-Key': key, Authorization: null },
    webhookKey: null,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    maxRetries: 0,
  });
}

function messageOf(turn: ChatTurn): Anthropic.MessageParam[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
  if (turn.role === 'tools') {
    const results = turn.answers.map(({ id, text, isError }) => ({
      type: 'tool_result' as const,
      tool_use_id: allowedId(id),
      content: text,
      is_error: isError,
    }));
    return [{ role: 'user', content: results }];
  }
  // A text of blanks alone is refused.
  const text = turn.text.trimEnd();
  const content = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...turn.calls.map((call) => ({ type: 'tool_use' as const, id: allowedId(call.id), name: call.name, input: inputAgain(call) })),
  ];
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/** Ids that another provider made in the same thread may have other characters. */
function allowedId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_');
}

/** The parts of an event that we read. What a model thought is left out, which is allowed where it chose itself to think. */
const Usage = z.object({
  input_tokens: z.int().min(0).nullish(),
  cache_creation_input_tokens: z.int().min(0).nullish(),
  cache_read_input_tokens: z.int().min(0).nullish(),
  output_tokens: z.int().min(0).nullish(),
});
type Used = z.infer<typeof Usage>;
const Event = z.object({
  type: z.string(),
  index: z.int().optional(),
  message: z.object({ usage: Usage.nullish() }).optional(),
  content_block: z
    .object({ type: z.string(), id: z.string().optional(), name: z.string().optional(), text: z.string().optional() })
    .optional(),
  delta: z.object({ text: z.string().optional(), partial_json: z.string().optional(), stop_reason: z.string().nullish() }).optional(),
  usage: Usage.nullish(),
});

const REASONS: Readonly<Record<string, 'length' | 'refusal'>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

async function* read(events: AsyncIterable<unknown>): AsyncGenerator<ChatPart> {
  const calls = new Map<number, Writing>();
  const used: Used = {};
  let stopped: string | null = null;
  for await (const given of events) {
    const { success, data: event } = Event.safeParse(given);
    if (!success) throw new LlmFailed('the answer is not a message');
    const { index = 0, content_block: block, delta } = event;
    note(used, event.message?.usage);
    note(used, event.usage);
    if (block?.type === 'tool_use') calls.set(index, { id: block.id ?? '', name: block.name ?? '', written: '' });
    const text = block?.text ?? delta?.text;
    if (text) yield { kind: 'text', text };
    const call = calls.get(index);
    if (call) call.written += delta?.partial_json ?? '';
    stopped = delta?.stop_reason ?? stopped;
    if (event.type === 'message_stop' && stopped !== null) {
      const reason = REASONS[stopped] ?? (calls.size > 0 ? 'calls' : 'stop');
      if (reason !== 'refusal') for (const writing of calls.values()) yield { kind: 'call', call: callOf(writing) };
      yield { kind: 'end', reason, usage: usageOf(used) };
      return;
    }
  }
}

/** The last event repeats the counts of the first, some of them as null. */
function note(used: Used, usage: Used | null | undefined): void {
  Object.assign(used, Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => count !== null)));
}

/** What was written to the cache or read from it was read by the model, too. */
function usageOf(used: Used): ChatUsage | null {
  const { input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: cached, output_tokens: output } = used;
  if (input == null || output == null) return null;
  return { prompt_tokens: input + (written ?? 0) + (cached ?? 0), completion_tokens: output };
}
