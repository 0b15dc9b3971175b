import type { APIError, OpenAI } from 'openai';
import { z } from 'zod';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import { redact, redactCause } from '../redaction.ts';
import { AccountRefused, type Completion, type Llm, type LlmAccount, LlmBusy, LlmFailed, type Prompt, PromptRefused } from './llm.ts';

const ANSWER_MAX_BYTES = 2 * 1024 * 1024;
const RETRY_AFTER_SECONDS = { least: 1, most: 60 };

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
      const openai = await import('openai');
      const client = connect(openai, account, timeoutMs);
      const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), headers: requestIdHeader() };
      try {
        const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': account.model };
        return await outgoingSpan(`chat ${account.model}`, account.base_url, attributes, async () =>
          completionOf(await ask(openai, client, account.model, prompt, options)),
        );
      } catch (error) {
        throw classify(openai, error, account, timeoutMs);
      }
    },
  };
}

function connect({ OpenAI: Client }: Package, { base_url: baseURL, api_key: key }: LlmAccount, timeout: number): OpenAI {
  return new Client({
    baseURL,
    apiKey: key ?? 'none',
    // A server that needs no key is not sent one.
    ...(key === null && { defaultHeaders: { Authorization: null } }),
    // Otherwise the package would read these from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Each repeat costs money, so the run decides whether to repeat.
    maxRetries: 0,
    timeout,
    fetch: fetchWhole,
  });
}

/** Newer models of OpenAI accept `max_tokens` only as `max_completion_tokens`. */
async function ask(openai: Package, client: OpenAI, model: string, prompt: Prompt, options: CallOptions): Promise<unknown> {
  const { messages, maxTokens, schema } = prompt;
  const body = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(schema && { response_format: { type: 'json_schema' as const, json_schema: { name: 'answer', schema } } }),
  };
  try {
    return await client.chat.completions.create({ ...body, max_tokens: maxTokens }, options);
  } catch (error) {
    if (!(error instanceof openai.BadRequestError) || error.param !== 'max_tokens') throw error;
    return client.chat.completions.create({ ...body, max_completion_tokens: maxTokens }, options);
  }
}

/**
 * Reads the whole answer within a size limit, so that the timeout covers the body too. Redirects are refused, so that the key goes nowhere
 * else.
 */
async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_MAX_BYTES) throw new LlmFailed(`the answer has more than ${ANSWER_MAX_BYTES} bytes`);
    parts.push(part);
  }
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  const { status } = response;
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers });
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

function classify(openai: Package, error: unknown, { api_key: key }: LlmAccount, timeoutMs: number): Error {
  const options = { cause: redactCause(error, [key]) };
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof LlmFailed) return cause;
  if (error instanceof openai.APIUserAbortError || error instanceof openai.APIConnectionTimeoutError) {
    return new LlmFailed(`no answer within ${timeoutMs / 1000} s`, options);
  }
  if (error instanceof openai.APIConnectionError) {
    // The connection was never made.
    const code = codeOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return new AccountRefused(`there is no server at its address (${code})`, options);
    return new LlmFailed('the connection broke', options);
  }
  if (!(error instanceof openai.APIError)) return new LlmFailed('the answer cannot be read', options);
  return classifyStatus(error, key, options);
}

function classifyStatus(error: APIError, key: string | null, options: ErrorOptions): Error {
  const status = Number(error.status);
  const said = redact(error.message, [key]);
  if (error.code === 'insufficient_quota' || status === 401 || status === 402 || status === 403) {
    // The server's message is left out, because it may contain the key.
    return new AccountRefused(
      `it answered ${status}${error.code === 'insufficient_quota' ? ': the account has no credit left' : ''}`,
      options,
    );
  }
  if (status === 429 || status === 503) return new LlmBusy(retryAfter(error.headers?.get('retry-after')), options);
  if (status === 404) return new AccountRefused(`it answered 404: ${said}`, options);
  if (status >= 400 && status < 500) return new PromptRefused(said, options);
  return new LlmFailed(`it answered ${status}`, options);
}

function retryAfter(text: string | null | undefined): number {
  const seconds = /^\d+$/.test(text ?? '') ? Number(text) : (Date.parse(text ?? '') - Date.now()) / 1000;
  const { least, most } = RETRY_AFTER_SECONDS;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), least), most) : least;
}

function codeOf(error: Error): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code.startsWith('E')) return cause.code;
  }
  return undefined;
}
