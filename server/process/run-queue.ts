import { Signal } from './signal.ts';

/** Wakes who waits for runs; tells of each that was opened. */
export class RunQueue extends Signal {
  readonly #count: () => void;

  constructor(count: () => void) {
    super();
    this.#count = count;
  }

  /** Once its transaction has committed. */
  opened(): void {
    this.#count();
    this.fire();
  }
}
