import type { z } from 'zod';
import { type HostOperation, hostCallKinds } from '../contract/script-library.ts';
import { AdminApiPayload, type CallTurn, callAdminApi, costsOf } from './admin-call.ts';
import { FileWritePayload } from './artifact-uploads.ts';
import { callFingerprint } from './call-key.ts';
import { CheckpointPayload, isStoredSleep, OncePayload, remember, SleepPayload, sleep, storeCheckpoint } from './durable.ts';

import type { NamedCall, RecordedAnswer } from './recording.ts';
import type { Answer, BudgetName, RunContext } from './run-context.ts';
import { FileReadPayload, readFile } from './run-files.ts';
import { DescribePayload, DetailsPayload, LogPayload, ProgressPayload, ResultPayload } from './run-log.ts';
import { askPrompt, awaitEvent, awaitTask, EventPayload, PromptPayload, TaskEndPayload } from './waits.ts';

/** One call of a script, with checked arguments. */
export type HostCall = {
  operation: HostOperation;
  /** The budgets of the run in which the call reserves one unit each. */
  costs: readonly BudgetName[];
  /** Whether the call's own answer moves the script's clock in a replay where the recording has no entry for the call. */
  movesClock: boolean;
  /** The call as messages to people show it. */
  shown: string;
  /** What the call shares with others whose writes the server may take for its own (`OpenCall`). */
  place: string | null;
  /** The call as the recording identifies it. */
  named(): NamedCall;
  /** What its journal key is made of (spec JO3); throws a RangeError for arguments nested too deeply, null: it has no key. */
  fingerprint(): string | null;
  /** Carries the call out and settles its budget units; null: the script gets no answer. */
  perform(run: RunContext, conditions: CallConditions): Promise<Answer | null>;
};
/**
 * `recorded`: the recording's entry for the call, in a replay. `clockMs`: what the script's clock showed when it made the call. `key`: makes
 * its journal key; throws where the arguments have no fingerprint. `known`: a detached call says that a checkpoint need not wait for it.
 */
export type CallConditions = {
  recorded: RecordedAnswer | undefined;
  turn: CallTurn;
  clockMs: number;
  key: () => string;
  known: () => void;
};
type Reader = (operation: HostOperation, value: unknown, text: string) => HostCall | null;

type Operation<Payload> = {
  payload: z.ZodType<Payload>;
  movesClock?: boolean;
  /** Without this function the call costs one host call. */
  costs?(payload: Payload): readonly BudgetName[];
  /** `run` settles the budget units itself, because it may refund some. */
  settlesItself?: boolean;
  run(run: RunContext, payload: Payload, conditions: CallConditions): Promise<Answer | null>;
  shown?(payload: Payload): string;
  place?(payload: Payload): string;
  named?(payload: Payload): Omit<NamedCall, 'operation'>;
  fingerprint?(payload: Payload): string;
};

/** For each operation of the host function, how the runner carries it out. */
const operations: Readonly<Record<HostOperation, Reader>> = {
  admin_api: answered({
    payload: AdminApiPayload,
    movesClock: true,
    costs: costsOf,
    settlesItself: true,
    run: callAdminApi,
    fingerprint: ({ method, path, body }) => callFingerprint(method, path, body),
    place: ({ method, path }) => `${method} ${path}`,
    shown: ({ method, path }) => `${method} ${path}`,
  }),
  log: instant(LogPayload, (run, { line }) => run.log.line(line)),
  progress: instant(ProgressPayload, (run, payload) => run.log.progress(payload)),
  result: instant(ResultPayload, (run, payload) => run.log.result(payload, run.keys)),
  describe: instant(DescribePayload, (run, { description }) => run.log.describe(description)),
  details: instant(DetailsPayload, (run, { markdown }) => run.log.details(markdown)),
  checkpoint: answered({ payload: CheckpointPayload, run: (run, payload, { recorded }) => storeCheckpoint(run, payload, recorded) }),
  once: answered({ payload: OncePayload, run: remember, place: () => 'once' }),
  sleep: answered({
    payload: SleepPayload,
    movesClock: true,
    costs: ({ ms }) => (isStoredSleep(ms) ? ['host_calls'] : []),
    settlesItself: true,
    run: sleep,
    fingerprint: () => callFingerprint('SLEEP', '/sleep', undefined),
  }),
  file_read: answered({ payload: FileReadPayload, run: readFile }),
  file_write: answered({
    payload: FileWritePayload,
    run: (run, block) => run.artifacts.write(run, block),
    // The name leaves out the guest's number of the file, because the guest numbers its files anew in each attempt.
    named: ({ write: file, ...said }) => ({ said: JSON.stringify(said), part: { file, offset: said.offset } }),
  }),
  prompt: answered({
    payload: PromptPayload,
    movesClock: true,
    run: async (run, question, { key }) => askPrompt(run, question, key()),
    fingerprint: (question) => callFingerprint('PROMPT', '/prompts', question),
  }),
  wait: answered({
    payload: EventPayload,
    movesClock: true,
    settlesItself: true,
    run: async (run, wait, { key, known }) => awaitEvent(run, wait, { key: key(), known }),
    fingerprint: (wait) => callFingerprint('WAIT', '/waits', { ...wait, since: wait.since ?? null, sample: wait.sample ?? null }),
  }),
  task_end: answered({
    payload: TaskEndPayload,
    movesClock: true,
    run: async (run, wait, { key }) => awaitTask(run, wait, key()),
    fingerprint: ({ run_id, sample }) => callFingerprint('TASK_END', '/task-runs', { run_id, ...(sample !== undefined && { sample }) }),
  }),
};

/** Makes a host call of a worker's message; null where the arguments are not acceptable. */
export function readHostCall(operation: HostOperation, text: string): HostCall | null {
  return operations[operation](operation, parseJson(text), text);
}

export function isInstant({ operation }: HostCall): boolean {
  return hostCallKinds[operation] === 'instant';
}

function answered<Payload>(how: Operation<Payload>): Reader {
  return (operation, value, text) => {
    const { success, data: payload } = how.payload.safeParse(value);
    if (!success) return null;
    const costs = how.costs ? how.costs(payload) : (['host_calls'] as const);
    return {
      operation,
      costs,
      movesClock: how.movesClock ?? false,
      shown: how.shown?.(payload) ?? operation,
      place: how.place?.(payload) ?? null,
      named: () => ({ operation, ...(how.named?.(payload) ?? { said: text }) }),
      fingerprint: () => how.fingerprint?.(payload) ?? null,
      async perform(run, conditions) {
        try {
          return await how.run(run, payload, conditions);
        } finally {
          if (!how.settlesItself) for (const name of costs) run.budgets[name].settle('spent');
        }
      },
    };
  };
}

function instant<Payload>(payload: z.ZodType<Payload>, tell: (run: RunContext, payload: Payload) => void): Reader {
  return answered({
    payload,
    costs: () => [],
    async run(run, said) {
      tell(run, said);
      return null;
    },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
