import { type HostOperation, hostCallKinds, isHostOperation } from '../../contract/script-library.ts';
import { withoutMark } from '../../contract/secret-rules.ts';
import { mappingsIn } from '../../contract/source-map.ts';
import type { CompiledSource } from '../../contract/task-source.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';
import { type EmptyIsolate, type IsolateEnd, makeIsolate, type Prelude, type ScriptIsolate } from './isolate.ts';
import { ANSWER_MAX_BYTES, CALL_MAX_CHARS, guestLimits, LATEST_INTERVAL_MS } from './limits.ts';

export type Start = Extract<ToWorker, { type: 'start' }>;
export type AnswerMessage = Extract<ToWorker, { type: 'answer' }>;
type Done = Extract<FromWorker, { type: 'done' }>;

/** What these store is given to the same lineage alone, where a placeholder must go on to stand for its secret. */
const STAYS_INSIDE: ReadonlySet<string> = new Set<HostOperation>(['checkpoint', 'once']);

/** After these the script may not be heard of for long: what it shows is told before. */
const MAY_BE_LAST: ReadonlySet<string> = new Set<HostOperation>(['checkpoint', 'sleep', 'wait', 'prompt', 'task_end']);

/** One run inside the worker process. */
export type Bridge = {
  answer(message: AnswerMessage): void;
  /** Stops the script at once and drops its isolate. */
  dispose(): void;
};

/**
 * Runs a script in an isolate; passes its calls to the runner and the answers back to the script. `made`: an isolate that was made for it
 * before, with its heap; without one, the script gets one now.
 */
export function runScript(prelude: Prelude, start: Start, send: (message: FromWorker) => void, made: EmptyIsolate | null = null): Bridge {
  const meter = createMeter();
  const latest = {
    progress: createLatestGate((payload) => sendInstant('progress', payload)),
    describe: createLatestGate((payload) => sendInstant('describe', payload)),
    details: createLatestGate((payload) => sendInstant('details', payload)),
  };
  let isolate: ScriptIsolate | undefined;
  let answers = 0;
  // Whether a script that has set a timer goes on working, the runner cannot see.
  let { rests = false } = start;

  // The script starts in a microtask, so that the caller has the bridge before the first message is sent.
  queueMicrotask(() => void begin());

  return {
    answer({ id, value = 'null', error, now_ms, seed }) {
      answers += 1;
      const tooLarge = value.length > ANSWER_MAX_BYTES / 3 && Buffer.byteLength(value) > ANSWER_MAX_BYTES;
      const refusal = tooLarge ? { name: 'Error', message: `the answer is larger than ${4 * 1024 * 1024} bytes` } : error;
      isolate?.answer(id, `${JSON.stringify({ now_ms, seed, error: refusal })}\n${refusal ? 'null' : value}`);
    },
    dispose() {
      isolate?.dispose();
      isolate = undefined;
    },
  };

  async function begin(): Promise<void> {
    const compiled = await compiledOf(start);
    if (!compiled.ok) {
      const [first] = compiled.warnings;
      made?.dispose();
      const error_message = first ? `${first.message} (task.ts:${first.line}:${first.column})` : 'the source is not valid';
      fail('script_error', error_message);
      return;
    }
    const { task_id, now_ms, began_ms, seed, secret_mark, parameters, checkpoint, shop } = start;
    const mappings = mappingsIn(compiled.code);
    const facts = JSON.stringify({ task_id, now_ms, began_ms, seed, secret_mark, mappings });
    const config = `${facts.slice(0, -1)},"parameters":${parameters},"checkpoint":${checkpoint},"shop":${shop}}`;
    isolate = (made ?? makeIsolate(prelude, start.heap_mib)).open(config, { onCall, onEnd, onRest });
    isolate.run(compiled.code);
  }

  function onCall(id: number, operation: string, given: string, seen: number): void {
    if (!isHostOperation(operation)) return;
    rests ||= operation === 'sleep' || operation === 'wait';
    const payload = STAYS_INSIDE.has(operation) ? given : shown(given);
    if (payload.length > CALL_MAX_CHARS) {
      const error = { name: 'RangeError', message: `${operation}: the arguments have more than ${CALL_MAX_CHARS} characters` };
      if (id > 0) isolate?.answer(id, `${JSON.stringify({ error })}\nnull`);
      return;
    }
    if (MAY_BE_LAST.has(operation)) flushLatest();
    if (hostCallKinds[operation] !== 'instant') send({ type: 'call', id, operation, payload, seen });
    else if (operation === 'progress' || operation === 'describe' || operation === 'details') {
      latest[operation].offer(payload);
      isolate?.answer(0, operation);
    } else if (meter.hasRoomFor(payload)) sendInstant(operation, payload);
  }

  function sendInstant(operation: HostOperation, payload: string): void {
    send({ type: 'call', id: 0, operation, payload });
  }

  function flushLatest(): void {
    for (const gate of [latest.progress, latest.describe, latest.details]) gate.flush();
  }

  function shown(text: string): string {
    return withoutMark(text, start.secret_mark);
  }

  function onRest(): void {
    if (!rests) return;
    flushLatest();
    send({ type: 'rest', answers });
  }

  function onEnd(end: IsolateEnd): void {
    if (end.kind === 'heap') fail('heap', `the script used more than ${start.heap_mib} MiB of memory`);
    else if (end.kind === 'unhandled') fail('script_error', `unhandled rejection: ${textOfThrown(end.error)}`);
    else if (end.kind === 'syntax') fail('script_error', textOfThrown(end.error));
    else {
      const outcome = readOutcome(end.outcome);
      finish(outcome, end.quiet && outcome.end_reason === 'completed' && outcome.pending === 0);
    }
  }

  function fail(end_reason: Done['end_reason'], error_message: string): void {
    finish({ end_reason, error_message, result: null }, false);
  }

  function finish({ end_reason, error_message, result, retry_after_ms }: Omit<Done, 'type' | 'reusable'>, reusable: boolean): void {
    flushLatest();
    const said = { error_message: error_message && shown(error_message), result: result && shown(result) };
    send({ type: 'done', end_reason, ...said, reusable, ...(retry_after_ms !== undefined && { retry_after_ms }) });
    // This comes last, because disposing of an isolate that ran out of memory may never return.
    isolate?.dispose();
    isolate = undefined;
  }
}

/** The compiler is loaded only where it is needed: with Node's type stripper it takes 17 MB and a fifth of a second. */
async function compiledOf({ source, code }: Start): Promise<CompiledSource> {
  if (code !== null) return { ok: true, code, warnings: [] };
  const { compileTaskSource } = await import('../../contract/task-source.ts');
  return compileTaskSource(source);
}

/**
 * Counts the script's log again outside the isolate, where the script cannot change the count. Like the guest's own count it
 * lets one event past the limit through, so that the runner sees that the limit was exceeded.
 */
function createMeter(): { hasRoomFor(payload: string): boolean } {
  let bytes = 0;
  let lines = 0;
  return {
    hasRoomFor(payload) {
      if (bytes > guestLimits.log_bytes || lines > guestLimits.log_lines) return false;
      bytes += Buffer.byteLength(payload) + 1;
      lines += 1;
      return true;
    },
  };
}

/** Passes an event on at most ten times a second, always the latest one; the last event is never lost. */
function createLatestGate(pass: (payload: string) => void): { offer(payload: string): void; flush(): void } {
  let held: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    const payload = held;
    held = undefined;
    timer = undefined;
    if (payload === undefined) return;
    pass(payload);
    timer = setTimeout(release, LATEST_INTERVAL_MS);
  };
  return {
    offer(payload) {
      held = payload;
      if (!timer) release();
    },
    flush() {
      clearTimeout(timer);
      release();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function readOutcome(text: string): Omit<Done, 'type' | 'reusable'> & { pending: number } {
  const told: Partial<Record<string, unknown>> = JSON.parse(text);
  const completed = told['end_reason'] === 'completed';
  return {
    end_reason: completed ? 'completed' : told['end_reason'] === 'heap' ? 'heap' : 'script_error',
    error_message: typeof told['error_message'] === 'string' ? told['error_message'] : null,
    result: completed && typeof told['result'] === 'string' ? told['result'] : null,
    retry_after_ms: typeof told['retry_after_ms'] === 'number' ? told['retry_after_ms'] : undefined,
    pending: Number(told['pending']),
  };
}

const MAX_ERROR_LENGTH = 16 * 1024;
/** The name in stack traces of an unnamed default export, which contract/task-source.ts makes a property `d`. */
const DEFAULT_EXPORT = / \$\w\.d \(/;
const SCRIPT_FRAME = /^ {4}at .*task\.ts:\d+:\d+\)?$/;

/** The text of an error that left the isolate. isolated-vm copies it: an Error of this realm with text fields, or a primitive. */
function textOfThrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_ERROR_LENGTH);
  const [message = ''] = error.message.split(' [task.ts:');
  const place = / \[(task\.ts:\d+:\d+)\]$/.exec(error.message)?.[1];
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => SCRIPT_FRAME.test(line))
    .map((line) => line.replace(DEFAULT_EXPORT, ' default ('));
  const head = `${error.name}: ${message}${place === undefined ? '' : ` (${place})`}`;
  return [head, ...frames].join('\n').slice(0, MAX_ERROR_LENGTH);
}
