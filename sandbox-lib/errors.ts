import type { AnswerError } from './guest.ts';
import { cut } from './text.ts';

type Problem = { status?: unknown; code?: unknown; detail?: unknown; errors?: unknown; required_permission?: unknown };

/** A call that the shop refused. */
export class AdminApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The single faults of a 422. */
  readonly errors: readonly unknown[];

  constructor(message: string, problem: Problem = {}) {
    super(message);
    this.status = typeof problem.status === 'number' ? problem.status : 0;
    this.code = typeof problem.code === 'string' ? problem.code : '';
    this.detail = typeof problem.detail === 'string' ? problem.detail : message;
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
  }

  static {
    Object.defineProperty(AdminApiError.prototype, 'name', { value: 'AdminApiError', writable: true, configurable: true });
  }
}

/** A call that the version's permissions do not cover. */
export class PermissionError extends AdminApiError {
  /** The permission that is missing; empty where the call is not open to tasks at all. */
  readonly permission: string;

  constructor(message: string, problem: Problem = {}) {
    super(message, problem);
    this.permission = typeof problem.required_permission === 'string' ? problem.required_permission : '';
  }

  static {
    Object.defineProperty(PermissionError.prototype, 'name', { value: 'PermissionError', writable: true, configurable: true });
  }
}

/** What a call throws for an answer that carries an error. */
export function toError({ name, message, fields }: AnswerError): Error {
  if (name === 'PermissionError') return new PermissionError(message, fields);
  if (name === 'AdminApiError') return new AdminApiError(message, fields);
  return new Error(message);
}

/** Whether V8 threw this where a buffer would have passed the isolate's limit; it has no sign of that but its text. */
export function isOutOfMemory(thrown: unknown): boolean {
  try {
    return thrown instanceof RangeError && thrown.message === 'Array buffer allocation failed';
  } catch {
    return false;
  }
}

const MAX_TEXT_BYTES = 16 * 1024;
/** What an unnamed default export is called after contract/task-source.ts has moved it. */
const DEFAULT_EXPORT = / \$\w\.d \(/;
const SCRIPT_FRAME = /\(?task\.ts:\d+:\d+\)?$/;

/**
 * Message and stack of what a script threw, with the script's own frames only. Runs the script's code where the
 * thrown object has getters; that is why it happens in here, under the script's own limits.
 */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return cut(`the script threw ${describeValue(thrown)}`, MAX_TEXT_BYTES);
    const causes: string[] = [];
    let cause: unknown = thrown.cause;
    for (let depth = 0; depth < 3 && cause instanceof Error; depth++) {
      causes.push(`\ncaused by: ${describeError(cause)}`);
      cause = cause.cause;
    }
    return cut(describeError(thrown) + causes.join(''), MAX_TEXT_BYTES);
  } catch {
    return 'the script threw something that could not be read';
  }
}

function describeError(error: Error): string {
  const name = textOf(error.name) || 'Error';
  const message = textOf(error.message);
  const stack = textOf(error.stack);
  const frames = stack
    .slice(0, 64 * 1024)
    .split('\n')
    .filter((line) => line.startsWith('    at ') && SCRIPT_FRAME.test(line))
    .map((line) => line.replace(DEFAULT_EXPORT, ' default ('));
  return [message === '' ? name : `${name}: ${message}`, ...frames].join('\n');
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) {
    if ('message' in value && typeof value.message === 'string') return value.message;
    return JSON.stringify(value) ?? 'an object';
  }
  return String(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
