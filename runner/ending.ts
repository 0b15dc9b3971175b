import type { Cause } from './outcome.ts';

/** How a run leaves its worker. */
export type Parting =
  /** It ended, and the server is to be told why. */
  | { kind: 'ended'; cause: Cause }
  /** It waits for a person to answer these questions; it goes on from its checkpoint when they have. */
  | { kind: 'waits'; promptIds: number[] }
  /** The claim is over: there is nobody to tell. */
  | { kind: 'lost'; reason: string };

/** Whatever may end a run says so here; what is said first counts. */
export type Ending = {
  readonly parting: Promise<Parting>;
  alive(): boolean;
  end(cause: Cause): void;
  wait(promptIds: number[]): void;
  lose(reason: string): void;
};

export function createEnding(): Ending {
  const { promise: parting, resolve } = Promise.withResolvers<Parting>();
  let alive = true;
  function part(how: Parting): void {
    alive = false;
    resolve(how);
  }
  return {
    parting,
    alive: () => alive,
    end: (cause) => part({ kind: 'ended', cause }),
    wait: (promptIds) => part({ kind: 'waits', promptIds }),
    lose: (reason) => part({ kind: 'lost', reason }),
  };
}
