import type { OpenAI } from 'openai';
import { z } from 'zod';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import { fetchWhole } from './bounded-fetch.ts';
import { classify } from './failures.ts';
import { type Completion, type Llm, LlmFailed, type Prompt } from './llm.ts';
import { connectOpenAi, loadOpenAi, withMostTokens } from './openai-client.ts';

/** The parts of a chat completion that we read; compatible servers leave out others. */
const ChatCompletion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullish(),
});

type Package = typeof import('openai');
type CallOptions = { signal: AbortSignal; headers: Record<string, string> };

/** Works with any server that implements OpenAI's chat completions, through OpenAI's own package, which is loaded at its first use. */
export function createOpenAiLlm({ timeoutMs }: { timeoutMs: number }): Llm {
  return {
    answersWithinMs: timeoutMs,
    async complete(account, prompt, signal) {
      const openai = await loadOpenAi();
      const { chat } = connectOpenAi(openai, account, { timeout: timeoutMs, fetch: fetchWhole });
      const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), headers: requestIdHeader() };
      try {
        const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': account.model };
        return await outgoingSpan(`chat ${account.model}`, account.base_url, attributes, async () =>
          completionOf(await ask(openai, chat, account.model, prompt, options)),
        );
      } catch (error) {
        throw classify(openai, error, account.api_key, timeoutMs);
      }
    },
  };
}

function ask(openai: Package, { completions }: OpenAI['chat'], model: string, prompt: Prompt, options: CallOptions): Promise<unknown> {
  const { messages, maxTokens, schema } = prompt;
  const body = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(schema && { response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema } } }),
  };
  return withMostTokens<unknown>(openai, maxTokens, (most) => completions.create({ ...body, ...most }, options));
}

function completionOf(answer: unknown): Completion {
  const parsed = ChatCompletion.safeParse(answer);
  const [choice] = parsed.data?.choices ?? [];
  if (!parsed.success || !choice) throw new LlmFailed('the answer is not a chat completion');
  const { content, refusal } = choice.message;
  return {
    text: content ?? refusal ?? '',
    finish_reason: content == null && refusal != null ? 'refusal' : (choice.finish_reason ?? 'stop'),
    usage: parsed.data.usage ?? null,
  };
}
