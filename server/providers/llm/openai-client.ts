import type { OpenAI } from 'openai';
import { loadOptional } from '../../process/optional-package.ts';
import { AccountRefused, type LlmAccount } from './llm.ts';

type Package = typeof import('openai');

export function loadOpenAi(): Promise<Package> {
  return loadOptional({ use: 'this model', name: 'openai', refuse: AccountRefused }, () => import('openai'));
}

/** OpenAI's own client, for any server that implements its protocol. It takes nothing from the environment and repeats nothing. */
export function connectOpenAi(
  { OpenAI: Client }: Package,
  { base_url: baseURL, api_key: key }: Pick<LlmAccount, 'base_url' | 'api_key'>,
  http: { timeout: number; fetch: typeof fetch },
): OpenAI {
  return new Client({
    ...http,
    baseURL,
    apiKey: key ?? 'none',
    // A server that needs no key is not sent one. They stand here because headers of the environment would come before `apiKey`.
    defaultHeaders: { Authorization: key === null ? null : `Bearer ${key}`, 'X-Api-Key': null },
    // Otherwise the package would read these from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Each repeat costs money, so the caller decides whether to repeat.
    maxRetries: 0,
  });
}

type MostTokens = { max_tokens: number } | { max_completion_tokens: number };

/** Newer models of OpenAI accept `max_tokens` only as `max_completion_tokens`. */
export async function withMostTokens<T>(openai: Package, maxTokens: number, ask: (most: MostTokens) => Promise<T>): Promise<T> {
  try {
    return await ask({ max_tokens: maxTokens });
  } catch (error) {
    if (!(error instanceof openai.BadRequestError) || error.param !== 'max_tokens') throw error;
    return ask({ max_completion_tokens: maxTokens });
  }
}
