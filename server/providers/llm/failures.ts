import { redact, redactCause } from '../redaction.ts';
import { AccountRefused, ContextTooLong, LlmBusy, LlmFailed, PromptRefused } from './llm.ts';

const RETRY_AFTER_SECONDS = { least: 1, most: 60 };

type Class<T> = abstract new (...args: never[]) => T;

/** `apiMessage` is what the service itself said, where the package keeps it apart. */
type ServiceError = Error & {
  status?: number | undefined;
  headers?: Headers | undefined;
  code?: string | null | undefined;
  type?: string | null | undefined;
  apiMessage?: string | null;
};

/** The errors that the packages of OpenAI and Anthropic have in common, because the same generator makes them. */
export type ErrorClasses = {
  APIError: Class<ServiceError>;
  APIConnectionError: Class<Error>;
  APIConnectionTimeoutError: Class<Error>;
  APIUserAbortError: Class<Error>;
};

/** Which of our errors an error of a package is. Nothing of the key is in it, nor in its cause. */
export function classify(classes: ErrorClasses, error: unknown, key: string | null, timeoutMs: number): Error {
  const options = { cause: redactCause(error, [key]) };
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof LlmFailed) return cause;
  if (error instanceof classes.APIUserAbortError || error instanceof classes.APIConnectionTimeoutError) {
    return new LlmFailed(`no answer within ${timeoutMs / 1000} s`, options);
  }
  if (error instanceof classes.APIConnectionError) {
    // The connection was never made.
    const code = codeOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return new AccountRefused(`there is no server at its address (${code})`, options);
    return new LlmFailed('the connection broke', options);
  }
  if (!(error instanceof classes.APIError)) return new LlmFailed('the answer cannot be read', options);
  return classifyAnswer(error, key, options);
}

function classifyAnswer(error: ServiceError, key: string | null, options: ErrorOptions): Error {
  const status = statusOf(error);
  const said = redact(error.apiMessage ?? error.message, [key]);
  const hasNoCredit = error.code === 'insufficient_quota' || NO_CREDIT.test(said);
  if (hasNoCredit || status === 401 || status === 402 || status === 403) {
    // The server's message is left out, because it may contain the key.
    return new AccountRefused(`it answered ${status}${hasNoCredit ? ': the account has no credit left' : ''}`, options);
  }
  if (isTooLong(error, status, said)) return new ContextTooLong(said, options);
  if (status === 429 || status === 503 || status === 529) return new LlmBusy(retryAfter(error.headers?.get('retry-after')), options);
  if (status === 404) return new AccountRefused(`it answered 404: ${said}`, options);
  if (status >= 400 && status < 500) return new PromptRefused(said, options);
  return new LlmFailed(`it answered ${status}`, options);
}

/** An error inside a stream has no status of its own, only its name; some servers write a status there. */
const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  insufficient_quota: 429,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  overloaded_error: 529,
};

function statusOf({ status, code, type }: ServiceError): number {
  return status ?? STATUS_BY_NAME[code ?? ''] ?? STATUS_BY_NAME[type ?? ''] ?? (Number(code) || 500);
}

const NO_CREDIT = /credit balance is too low/i;
const TOO_LONG_NAMES = ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'];
/** As OpenAI, vLLM, llama.cpp and Anthropic say it. */
const TOO_LONG = /maximum context length|exceeds? .{0,40}context|prompt is too long|^(429 )?request too large/i;

function isTooLong({ code, type }: ServiceError, status: number, said: string): boolean {
  if (status === 413 || TOO_LONG_NAMES.includes(code ?? '') || TOO_LONG_NAMES.includes(type ?? '')) return true;
  return status >= 400 && status < 500 && TOO_LONG.test(said);
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
