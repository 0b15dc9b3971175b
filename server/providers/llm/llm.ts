/**
 * A service that completes texts. Its adapters classify its answers as one of the errors below; they never repeat a request by themselves.
 */

/** The account for completions, from the shop's settings. */
export type LlmAccount = { base_url: string; model: string; api_key: string | null };

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };
export type Prompt = {
  messages: readonly Message[];
  maxTokens: number;
  /** JSON schema that the answer must match. */
  schema?: Record<string, unknown> | undefined;
};
export type Usage = { prompt_tokens: number; completion_tokens: number };
export type Completion = {
  text: string;
  finish_reason: string;
  /** Null if the service does not report it. */
  usage: Usage | null;
};

export type Llm = {
  /** How long one completion may take. */
  answersWithinMs: number;
  complete(account: LlmAccount, prompt: Prompt, signal: AbortSignal): Promise<Completion>;
};

/** The service refuses this prompt; no completion was made. */
export class PromptRefused extends Error {}

/** The same, because the prompt is longer than the model can read. */
export class ContextTooLong extends PromptRefused {}

/** The service is busy; no completion was made. */
export class LlmBusy extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number, options: ErrorOptions) {
    super('the service accepts no more requests at present', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service refuses the shop's account: its key, its address or its credit. No completion was made. */
export class AccountRefused extends Error {}

/** There was no readable answer; it is not known whether a completion was made and charged. */
export class LlmFailed extends Error {}
