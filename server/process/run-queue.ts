import { Signal } from './signal.ts';

/** Wakes runners that wait for runs, and counts the opened runs. */
export class RunQueue extends Signal {
  readonly #count: () => void;

  constructor(count: () => void) {
    super();
    this.#count = count;
  }

  /** To be called after the transaction that opened a run has committed. */
  opened(): void {
    this.#count();
    this.fire();
  }
}
