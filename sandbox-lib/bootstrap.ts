import type { ScriptName } from '../contract/script-library.ts';
import { timeSignalsBy } from './abort.ts';
import { createAdmin, type OperationRow } from './admin.ts';
import { createAdminApi, createRequest } from './admin-api.ts';
import { createCalls } from './calls.ts';
import { createClock, createPerformance, installClock, installTemporalClock } from './clock.ts';
import { createConsole } from './console.ts';
import { createDurable } from './durable.ts';
import { AdminApiError, describeThrown, isOutOfMemory, PermissionError, RetryAfter, retryAfterOf } from './errors.ts';
import { createEvents } from './events.ts';
import { createFiles } from './files.ts';
import type { Config, GuestOutcome, Limits, Message, Send } from './guest.ts';
import { freezeIntrinsics, hardenNewContext, removePowers } from './harden.ts';
import { createHttp } from './http.ts';
import { tellLosses, toJson } from './json.ts';
import { createLlm } from './llm.ts';
import { createMail } from './mail.ts';
import { createNotify } from './notify.ts';
import { createPrompt } from './prompt.ts';
import { createRandom, installRandom } from './random.ts';
import { createPlaces, type Places } from './secret-places.ts';
import { createSecret, createVariables } from './secrets.ts';
import { createShop } from './shop.ts';
import { createSignal } from './signal.ts';
import { installStacks, mapStacks } from './stacks.ts';
import { createState } from './state.ts';
import { createTasks } from './tasks.ts';
import { createTimers } from './timers.ts';
import { createWaitFor } from './wait.ts';
import { installWeb } from './web.ts';

/** The isolate's global object. In the bundle `globalThis` is another object (runner/bundling.ts). */
declare const realGlobal: typeof globalThis;
/** The result of the contract's `operationTable()`, and the guest's limits, which the bundler inserts. */
declare const OPERATIONS: readonly OperationRow[];
declare const LIMITS: Limits;

/** The host function (a Reference of isolated-vm). Only a variable of this module holds it, so that no script can reach it. */
type Host = { applyIgnored(receiver: undefined, args: [number, Message, string, number]): void };
/**
 * The script as one async function. It returns the default export in an array; without the array, `await` would call a
 * `then` method of the export. `uncalled`: the words about a function that nothing calls.
 */
type Task = () => Promise<readonly [exported: unknown, uncalled?: string]>;
type Run = {
  /** The argument of the script's default function: an object with the names of the module `backroom`. */
  context: object;
  ended: boolean;
  /** The guest has asked the worker for a turn (one more call of `enter`) and has not got it yet. */
  turnAsked: boolean;
  /** Answers that came while the guest waited for a turn. */
  held: Array<[id: number, text: string]>;
};

/*
 * All that follows is carried out once, when the snapshot is made from which each isolate of a run begins (runner/worker/isolate.ts).
 * So it can know nothing of a run and of the host.
 */
const clock = createClock();
let timeOrigin = 0;
const random = createRandom();
const hostNow = Date.now;
let host: Host | undefined;
let run: Run | undefined;
let taskId = 0;
let mark = '';
let places: Places | undefined;

const send: Send = (id, operation, payload) => {
  // What was said before a checkpoint is stored before it: a script that goes on from there does not say it again.
  if (operation === 'checkpoint') events.flush();
  if (!run?.ended) host?.applyIgnored(undefined, [id, operation, payload, calls.answered()]);
};
const calls = createCalls(send, LIMITS.concurrent_calls, ({ now_ms, seed }) => {
  if (now_ms !== undefined) clock.moveTo(now_ms);
  if (seed !== undefined) random.seed(seed);
});

installClock(clock);
const crypto = installRandom(random);
removePowers();
installWeb();

const events = createEvents(send, LIMITS, hostNow);
const timers = createTimers(
  calls,
  clock,
  () => run && askTurn(run),
  (error) => run && fail(run, error),
);
timeSignalsBy(timers.after);
const request = createRequest(calls, LIMITS, () => {
  places ??= createPlaces(mark);
  return places;
});
const { log, progress, result, describe, details } = events;
tellLosses(log);
const names = {
  admin_api: createAdminApi(request),
  admin: createAdmin(OPERATIONS, request),
  llm: createLlm(request),
  notify: createNotify(request),
  mail: createMail(request),
  http: createHttp(request),
  tasks: createTasks(request, calls),
  log,
  progress,
  result,
  describe,
  details,
  ...createDurable(calls, LIMITS, random),
  files: createFiles(calls, () => mark),
  prompt: createPrompt(calls),
  waitFor: createWaitFor(calls),
  signal: createSignal(request, () => taskId),
  state: createState(request, () => taskId),
  secret: createSecret(() => mark),
  variables: createVariables(request, () => taskId),
};
/** The names that a run brings; all others are there before. */
type DataName = 'parameters' | 'last_checkpoint' | 'shop';
const api: Record<Exclude<ScriptName, DataName>, unknown> = { ...names, AdminApiError, PermissionError, RetryAfter };

const globals = {
  ...api,
  console: createConsole(log, clock),
  performance: createPerformance(clock, () => timeOrigin),
  ...timers.globals,
  crypto,
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(realGlobal, name, { value: Object.freeze(value), configurable: true });
}
freezeIntrinsics();

/** The guest's only entry point. The worker calls it; scripts cannot reach it. */
export function enter(kind: 'made' | 'boot' | 'run' | 'answer' | 'turn' | 'idle', a?: unknown, b?: unknown): void {
  if (kind === 'made') {
    installTemporalClock(clock);
    installStacks();
    hardenNewContext();
  } else if (kind === 'boot') boot(a as Host, JSON.parse(String(b)));
  else if (!run) throw new Error('not booted');
  else if (kind === 'run') void runTask(run, a as Task);
  else if (kind === 'idle') endIfStuck(run);
  else if (kind === 'turn') takeTurn(run);
  else if (a === 0) events.sent(String(b));
  else if (run.turnAsked) run.held.push([Number(a), String(b)]);
  else calls.answer(Number(a), String(b));
}

/** Fires due timers before it passes on the answers that have come meanwhile, so that a replay has the same order. */
function takeTurn(current: Run): void {
  current.turnAsked = false;
  if (current.ended) return;
  const planned = timers.fireDue();
  if (current.turnAsked) return;
  // An answer in this turn would move the clock before the next sleep has begun; in a replay, none would.
  const answer = planned ? undefined : current.held.shift();
  if (current.held.length > 0) askTurn(current);
  if (answer) calls.answer(...answer);
}

/** Asks the worker to call `enter('turn')` when the microtasks of this turn are done. */
function askTurn(current: Run): void {
  if (current.turnAsked) return;
  current.turnAsked = true;
  send(0, 'turn', '');
}

/** Tells the guest about its run. */
function boot(its: Host, config: Config): void {
  host = its;
  taskId = config.task_id;
  mark = config.secret_mark;
  if (config.mappings !== null) mapStacks(config.mappings);
  clock.moveTo(config.now_ms);
  timeOrigin = config.began_ms;
  random.seed(config.seed);
  // The parameters and the checkpoint are the script's own data and stay writable; everything else is frozen.
  const shop = createShop(config.shop, clock);
  const data: Record<DataName, unknown> = { parameters: config.parameters, last_checkpoint: config.checkpoint, shop };
  const context = { ...data, ...names };
  for (const [name, value] of Object.entries(data)) Object.defineProperty(realGlobal, name, { value });
  run = { context, ended: false, turnAsked: false, held: [] };
}

async function runTask(current: Run, task: Task): Promise<void> {
  try {
    const [exported, uncalled] = await task();
    if (uncalled !== undefined) log(uncalled);
    // What is no function is the result itself, so no `then` method of it is called; but a promise is as good as its value.
    const made = typeof exported === 'function' ? exported(current.context) : exported;
    const value = typeof exported === 'function' || exported instanceof Promise ? await made : made;
    end(current, { end_reason: 'completed', error_message: null, result: toResult(value) });
  } catch (error) {
    fail(current, error);
  }
}

function fail(current: Run, error: unknown): void {
  const end_reason = isOutOfMemory(error) ? 'heap' : 'script_error';
  end(current, { end_reason, error_message: describeThrown(error), result: null, retry_after_ms: retryAfterOf(error) });
}

function toResult(value: unknown): string | null {
  if (value === undefined) return null;
  try {
    return toJson(value, 'the result', LIMITS.result_bytes);
  } catch (error) {
    events.log(`the result is dropped: ${describeThrown(error).split('\n')[0]}`);
    return null;
  }
}

/** Fails a script that would wait forever: its microtasks are done, and no answer is to come that could continue it. */
function endIfStuck(current: Run): void {
  if (calls.pending() > 0) return;
  end(current, { end_reason: 'script_error', error_message: 'the script awaits something that nothing can settle any more', result: null });
}

function end(current: Run, outcome: Omit<GuestOutcome, 'pending'>): void {
  if (current.ended) return;
  const pending = calls.pending();
  const open = [numbered(pending - timers.sleeping(), 'call'), numbered(timers.pending(), 'timer')].filter(Boolean);
  if (open.length > 0) {
    const were = open.length > 1 || !open[0]?.startsWith('1 ') ? 'were' : 'was';
    events.log(`${open.join(' and ')} ${were} still open when the task ended: pending work is dropped`);
  }
  events.flush();
  const report: GuestOutcome = { ...outcome, pending };
  send(0, 'outcome', JSON.stringify(report));
  current.ended = true;
}

function numbered(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
