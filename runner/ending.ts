import type { Cause } from './outcome.ts';

/** Why a run stops on its worker. */
export type RunStop =
  /** The run ended; the runner reports the cause to the server. */
  | { kind: 'ended'; cause: Cause }
  /** The run waits for a person to answer these questions; then it continues from its checkpoint. */
  | { kind: 'waits'; promptIds: number[] }
  /** The claim is over; the server accepts no more reports about the run. */
  | { kind: 'lost'; reason: string };

/** running → draining, when the runner stops; from both of them to a stop, which is final. */
export type RunState = { kind: 'running' } | { kind: 'draining' } | RunStop;

/** What may stop a run. The runner `drain`s it: it may go on to its next checkpoint or question; null: it asks no question now. */
export type RunEvent =
  | RunStop
  | { kind: 'drain'; promptIds: number[] | null }
  | { kind: 'checkpoint' }
  /** From now on the run does nothing but wait for these answers. */
  | { kind: 'asks'; promptIds: number[] };

export function nextState(state: RunState, event: RunEvent): RunState {
  if (isStop(state)) return state;
  const isDraining = state.kind === 'draining';
  switch (event.kind) {
    case 'drain':
      return event.promptIds === null ? { kind: 'draining' } : { kind: 'waits', promptIds: event.promptIds };
    case 'asks':
      return isDraining ? { kind: 'waits', promptIds: event.promptIds } : state;
    case 'checkpoint':
      return isDraining ? { kind: 'ended', cause: { kind: 'drained' } } : state;
    default:
      return event;
  }
}

/** Whether the worker may serve another run of the same version. */
export function leavesWorkerReusable(stop: RunStop): boolean {
  return stop.kind === 'ended' && stop.cause.kind === 'done' && stop.cause.reusable && stop.cause.end_reason !== 'heap';
}

/** Every part that can stop a run calls one of these functions; only the first stop counts. */
export type Ending = {
  readonly stopped: Promise<RunStop>;
  alive(): boolean;
  tell(event: RunEvent): void;
  end(cause: Cause): void;
  lose(reason: string): void;
};

export function createEnding(): Ending {
  const { promise: stopped, resolve } = Promise.withResolvers<RunStop>();
  let state: RunState = { kind: 'running' };
  function tell(event: RunEvent): void {
    state = nextState(state, event);
    if (isStop(state)) resolve(state);
  }
  return {
    stopped,
    alive: () => !isStop(state),
    tell,
    end: (cause) => tell({ kind: 'ended', cause }),
    lose: (reason) => tell({ kind: 'lost', reason }),
  };
}

function isStop(state: RunState): state is RunStop {
  return state.kind !== 'running' && state.kind !== 'draining';
}
