import type { Broadcast } from './broadcast.ts';
import { Signal } from './signal.ts';

/** Wakes those who follow a run when its log has a new line, or when it has ended. */
export class RunFollowers {
  readonly #following = new Map<number, Set<Signal>>();
  readonly #broadcast: Broadcast;
  #count = 0;

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
    broadcast.listen('run', {
      hear: (id) => this.#wake(Number(id)),
      missed: () => {
        for (const id of this.#following.keys()) this.#wake(id);
      },
    });
  }

  /** How many follow a run at this server. */
  get count(): number {
    return this.#count;
  }

  /** To be called after the transaction with the line or the end has committed. */
  fire(runId: number): void {
    this.#wake(runId);
    this.#broadcast.tell(`run ${runId}`);
  }

  /** A signal of this run; `leave` must be called when nobody waits for it any more. */
  follow(runId: number): { signal: Signal; leave(): void } {
    const signal = new Signal();
    const all = this.#following.get(runId) ?? new Set();
    this.#following.set(runId, all.add(signal));
    this.#count += 1;
    return {
      signal,
      leave: () => {
        if (!all.delete(signal)) return;
        this.#count -= 1;
        if (all.size === 0) this.#following.delete(runId);
      },
    };
  }

  #wake(runId: number): void {
    for (const signal of this.#following.get(runId) ?? []) signal.wake();
  }
}
