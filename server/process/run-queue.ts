import { Signal } from './signal.ts';

/** So long what a look has seen counts for others. Waiting runners wake together, and a run may be opened without a word of it. */
const SAME_LOOK_MS = 20;
/** How often a runner that asks for work is stored as seen. */
const NOTE_MS = 5000;
const NOTED_MAX = 1000;

/** Wakes runners that wait for runs, and counts the opened runs. */
export class RunQueue extends Signal {
  readonly #count: () => void;
  readonly #now: () => number;
  #turns: Promise<unknown> = Promise.resolve();
  /** What each runner told of itself when it was stored last, and when that was. */
  readonly #noted = new Map<string, { told: string; at: number }>();
  /** The last look that found nothing: when it began, and the count of wakes then. */
  #foundNone = { at: Number.NEGATIVE_INFINITY, count: 0 };

  /** `count` is called for each opened run; `now` is a clock in ms. */
  constructor(count: () => void, now: () => number = () => performance.now()) {
    super();
    this.#count = count;
    this.#now = now;
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

  /**
   * Whether `look` finds an open run. All waiting runners wake for one run; when one of them sees that it is gone, the others need not look.
   * `hasWaited`: this runner has searched the queue before.
   */
  async hasOpenRun(look: () => Promise<boolean>, hasWaited: boolean): Promise<boolean> {
    const { count } = this;
    const at = this.#now();
    if (hasWaited && this.#foundNone.count === count && at - this.#foundNone.at < SAME_LOOK_MS) return false;
    const found = await look();
    if (!found) this.#foundNone = { at, count };
    return found;
  }

  /** Whether a runner that asks for work is to be stored as seen now; `told` is its own description. */
  isToNote(name: string, told: string): boolean {
    const at = this.#now();
    const last = this.#noted.get(name);
    if (last?.told === told && at - last.at < NOTE_MS) return false;
    if (this.#noted.size >= NOTED_MAX) this.#noted.clear();
    this.#noted.set(name, { told, at });
    return true;
  }

  /** To be called after the transaction that opened a run has committed. */
  opened(): void {
    this.#count();
    this.fire();
  }
}
