/** A service that completes texts. Its adapters judge its answers; nothing is asked twice here. */

/** Where completions are asked for, as the shop's settings say. */
export type LlmAccount = { base_url: string; model: string; api_key: string | null };

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };
export type Prompt = {
  messages: readonly Message[];
  maxTokens: number;
  /** JSON schema of the answer. */
  schema?: Record<string, unknown> | undefined;
};
export type Usage = { prompt_tokens: number; completion_tokens: number };
export type Completion = {
  text: string;
  finish_reason: string;
  /** Null where the service does not say. */
  usage: Usage | null;
};

export type Llm = {
  /** How long one completion may take. */
  answersWithinMs: number;
  complete(account: LlmAccount, prompt: Prompt, signal: AbortSignal): Promise<Completion>;
};

/** The service does not take this prompt; nothing was made. */
export class PromptRefused extends Error {}

/** Not now; nothing was made. */
export class LlmBusy extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number, options: ErrorOptions) {
    super('the service takes no more requests just now', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service turns the shop away: its key, its address, its credit. Nothing was made. */
export class AccountRefused extends Error {}

/** No answer that can be read; whether a completion was made and charged is not known. */
export class LlmFailed extends Error {}
