import { RETRY_MAX_MS } from '../contract/script-library.ts';
import type { AnswerError } from './guest.ts';
import { cut } from './text.ts';

type Problem = { status?: unknown; code?: unknown; detail?: unknown; errors?: unknown; required_permission?: unknown };

/** Thrown for a call that the server refused. */
export class AdminApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The individual errors of a 422 answer. */
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

/** Thrown for a call for which the version lacks the permission. */
export class PermissionError extends AdminApiError {
  /** The missing permission; empty where the call is not open to tasks at all. */
  readonly permission: string;

  constructor(message: string, problem: Problem = {}) {
    super(message, problem);
    this.permission = typeof problem.required_permission === 'string' ? problem.required_permission : '';
  }

  static {
    Object.defineProperty(PermissionError.prototype, 'name', { value: 'PermissionError', writable: true, configurable: true });
  }
}

/** Thrown by a script that wants to be tried again later. */
export class RetryAfter extends Error {
  readonly ms: number;

  constructor(ms: number, message = 'the script asks for another attempt', options?: ErrorOptions) {
    if (typeof ms !== 'number' || !(ms >= 0 && ms <= RETRY_MAX_MS)) {
      throw new RangeError(`RetryAfter takes a time from 0 to ${RETRY_MAX_MS} ms (24 hours)`);
    }
    super(message, options);
    this.ms = Math.ceil(ms);
  }

  static {
    Object.defineProperty(RetryAfter.prototype, 'name', { value: 'RetryAfter', writable: true, configurable: true });
  }
}

/** The time that a thrown RetryAfter asks for. The script may have changed the object, so it is checked again. */
export function retryAfterOf(thrown: unknown): number | undefined {
  try {
    const ms: unknown = thrown instanceof RetryAfter ? thrown.ms : undefined;
    return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= RETRY_MAX_MS ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the error that a call throws for the error of its answer. */
export function toError({ name, message, fields }: AnswerError): Error {
  if (name === 'PermissionError') return new PermissionError(message, fields);
  if (name === 'AdminApiError') return new AdminApiError(message, fields);
  return new Error(message);
}

/** Whether V8 threw this because a buffer did not fit into the isolate's memory; only the message of the error shows that. */
export function isOutOfMemory(thrown: unknown): boolean {
  try {
    return thrown instanceof RangeError && thrown.message === 'Array buffer allocation failed';
  } catch {
    return false;
  }
}

const MAX_TEXT_BYTES = 16 * 1024;
const MAX_CAUSES = 3;
export const MAX_ERRORS = 10;
/** The name in stack traces of an unnamed default export, which contract/task-source.ts makes a property `d`. */
const DEFAULT_EXPORT = / \$\w\.d \(/;
const SCRIPT_FRAME = /\(?task\.ts:\d+:\d+\)?$/;

/**
 * Message and stack of what a script threw, with the script's own frames only. Reading the thrown object may run its getters,
 * which are code of the script, so this happens inside the isolate, under the script's limits.
 */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return cut(`the script threw ${describeValue(thrown)}`, MAX_TEXT_BYTES);
    return cut(describeAll(thrown, MAX_CAUSES).join('\n'), MAX_TEXT_BYTES);
  } catch {
    return 'the script threw something that could not be read';
  }
}

/** An error, the errors of an AggregateError, and its cause; of each of these the same, down to `depth`. */
function describeAll(error: Error, depth: number): string[] {
  const parts = [describeError(error)];
  if (depth === 0) return parts;
  const describe = (one: unknown): string => (one instanceof Error ? describeAll(one, depth - 1).join('\n') : describeValue(one));
  if (error instanceof AggregateError) {
    const errors: unknown[] = Array.isArray(error.errors) ? error.errors : [];
    const shown = errors.slice(0, MAX_ERRORS).map((one, i) => `error ${i + 1} of ${errors.length}: ${describe(one)}`);
    parts.push(...shown);
    if (errors.length > shown.length) parts.push(`… ${errors.length - shown.length} more`);
  }
  const { cause } = error;
  if (cause !== undefined) parts.push(`caused by: ${describe(cause)}`);
  return parts;
}

function describeError(error: Error): string {
  return [headOf(error), ...framesOf(error).map((frame) => `    ${frame}`)].join('\n');
}

/** Name and message of an error; where a library looked for what other systems have, also why it is not there. */
export function headOf(error: Error): string {
  const name = textOf(error.name) || 'Error';
  const message = textOf(error.message) + reasonFor(error);
  return message === '' ? name : `${name}: ${message}`;
}

const OF_NODE = ['Buffer', 'process', 'require', 'module', 'exports', '__dirname', '__filename', 'setImmediate'];
const OF_PAGES = ['window', 'document', 'navigator', 'location', 'localStorage', 'XMLHttpRequest', 'WebSocket', 'DOMParser'];

function reasonFor(error: Error): string {
  const [, missing = ''] = (error instanceof ReferenceError && /^(\w+) is not defined$/.exec(textOf(error.message))) || [];
  if (missing === 'Buffer')
    return ': the sandbox has nothing of Node; bytes are a Uint8Array, and many libraries have a build for browsers';
  if (missing === 'eval') return ': code from strings is refused';
  if (OF_NODE.includes(missing)) return ': the sandbox has nothing of Node';
  return OF_PAGES.includes(missing) ? ': the sandbox has no page of a browser' : '';
}

/** The lines of an error's stack that are in the script's own source, such as `at main (task.ts:3:5)`. */
export function framesOf(error: Error): string[] {
  return textOf(error.stack)
    .slice(0, 64 * 1024)
    .split('\n')
    .filter((line) => line.startsWith('    at ') && SCRIPT_FRAME.test(line))
    .map((line) => line.trim().replace(DEFAULT_EXPORT, ' default ('));
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
