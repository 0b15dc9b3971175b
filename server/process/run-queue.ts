import { Signal } from './signal.ts';

/** Wakes runners that wait for runs, and counts the opened runs. */
export class RunQueue extends Signal {
  readonly #count: () => void;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(count: () => void) {
    super();
    this.#count = count;
  }

  /**
   * Calls `work` when all earlier calls are done. All waiting runners wake for one run: the first takes it, and the others then see by a
   * read that it is gone, instead of each starting a transaction.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }

  /** To be called after the transaction that opened a run has committed. */
  opened(): void {
    this.#count();
    this.fire();
  }
}
