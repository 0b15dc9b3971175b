import type { z } from 'zod';
import { type HostOperation, hostCallKinds } from '../contract/host-calls.ts';
import { AdminApiPayload, callAdminApi, costsOf, type Turn } from './admin-call.ts';
import { FileWritePayload } from './artifact-uploads.ts';
import { CheckpointPayload, isStoredSleep, OncePayload, remember, SleepPayload, sleep, storeCheckpoint } from './durable.ts';
import { askPrompt, PromptPayload } from './prompts.ts';
import type { NamedCall, RecordedTurn } from './recording.ts';
import type { Answer, BudgetName, RunContext } from './run-context.ts';
import { FileReadPayload, readFile } from './run-files.ts';
import { LogPayload, ProgressPayload, ResultPayload } from './run-log.ts';

/** One call of a script, its arguments checked. */
export type HostCall = {
  operation: HostOperation;
  /** What it reserves of the run's budgets. */
  costs: readonly BudgetName[];
  /** Whether its answer moves the script's clock of itself. */
  movesClock: boolean;
  /** How a message names it. */
  shown: string;
  /** How a recording names it. */
  named(): NamedCall;
  /** Carries it out and settles what it reserved; null: the script gets no answer. */
  perform(run: RunContext, place: CallPlace): Promise<Answer | null>;
};
/** `recorded`: what a replay's recording says of the call. */
export type CallPlace = { recorded: RecordedTurn | undefined; turn: Turn };
type Reader = (operation: HostOperation, value: unknown, text: string) => HostCall | null;

type Operation<Payload> = {
  payload: z.ZodType<Payload>;
  movesClock?: boolean;
  /** One host call, where nothing else is said. */
  costs?(payload: Payload): readonly BudgetName[];
  /** It gives back what a call turns out not to have cost. */
  settlesItself?: boolean;
  run(run: RunContext, payload: Payload, place: CallPlace): Promise<Answer | null>;
  shown?(payload: Payload): string;
  named?(payload: Payload): Omit<NamedCall, 'operation'>;
};

/** Each operation of the one host function, and how the runner carries it out. */
const operations: Readonly<Record<HostOperation, Reader>> = {
  admin_api: answered({
    payload: AdminApiPayload,
    movesClock: true,
    costs: costsOf,
    settlesItself: true,
    run: (run, call, { turn }) => callAdminApi(run, call, turn),
    shown: ({ method, path }) => `${method} ${path}`,
  }),
  log: instant(LogPayload, (run, { line }) => run.log.line(line)),
  progress: instant(ProgressPayload, (run, payload) => run.log.progress(payload)),
  result: instant(ResultPayload, (run, payload) => run.log.result(payload, run.keys)),
  checkpoint: answered({ payload: CheckpointPayload, run: (run, payload, { recorded }) => storeCheckpoint(run, payload, recorded) }),
  once: answered({ payload: OncePayload, run: (run, payload) => run.traffic.during(() => remember(run, payload)) }),
  sleep: answered({ payload: SleepPayload, movesClock: true, costs: ({ ms }) => (isStoredSleep(ms) ? ['host_calls'] : []), run: sleep }),
  file_read: answered({ payload: FileReadPayload, run: readFile }),
  file_write: answered({
    payload: FileWritePayload,
    run: (run, block) => run.artifacts.write(run, block),
    // The number that the script gives a file is no part of what it says: it counts anew in each attempt.
    named: ({ write: file, ...said }) => ({ said: JSON.stringify(said), part: { file, offset: said.offset } }),
  }),
  prompt: answered({ payload: PromptPayload, movesClock: true, run: askPrompt }),
};

/** The call that a worker's message means; null where its arguments are not acceptable. */
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
      named: () => ({ operation, ...(how.named?.(payload) ?? { said: text }) }),
      async perform(run, place) {
        try {
          return await how.run(run, payload, place);
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
