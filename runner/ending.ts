import type { Cause } from './outcome.ts';

/** Why a run stops on its worker. */
export type RunStop =
  /** The run ended; the runner reports the cause to the server. */
  | { kind: 'ended'; cause: Cause }
  /** The run waits for a person to answer these questions; then it continues from its checkpoint. */
  | { kind: 'waits'; promptIds: number[] }
  /** The claim is over; the server accepts no more reports about the run. */
  | { kind: 'lost'; reason: string };

/** Every part that can stop a run calls one of these functions; only the first call counts. */
export type Ending = {
  readonly stopped: Promise<RunStop>;
  alive(): boolean;
  end(cause: Cause): void;
  wait(promptIds: number[]): void;
  lose(reason: string): void;
};

export function createEnding(): Ending {
  const { promise: stopped, resolve } = Promise.withResolvers<RunStop>();
  let alive = true;
  function stop(how: RunStop): void {
    alive = false;
    resolve(how);
  }
  return {
    stopped,
    alive: () => alive,
    end: (cause) => stop({ kind: 'ended', cause }),
    wait: (promptIds) => stop({ kind: 'waits', promptIds }),
    lose: (reason) => stop({ kind: 'lost', reason }),
  };
}
