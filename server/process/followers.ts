import type { Broadcast } from './broadcast.ts';
import { Signal } from './signal.ts';

/** Wakes those who follow a record, such as a run, when there is news of it, here and at other servers. */
export class Followers {
  readonly #following = new Map<number, Set<Signal>>();
  readonly #broadcast: Broadcast;
  readonly #name: string;
  #count = 0;

  /** `name`: the kind of record, without spaces. */
  constructor(broadcast: Broadcast, name: string) {
    this.#broadcast = broadcast;
    this.#name = name;
    broadcast.listen(name, {
      hear: (id) => this.#wake(Number(id)),
      missed: () => {
        for (const id of this.#following.keys()) this.#wake(id);
      },
    });
  }

  /** How many follow a record at this server. */
  get count(): number {
    return this.#count;
  }

  /** To be called after the transaction with the news has committed. */
  fire(id: number): void {
    this.#wake(id);
    this.#broadcast.tell(`${this.#name} ${id}`);
  }

  /** A signal of this record; `leave` must be called when nobody waits for it any more. */
  follow(id: number): { signal: Signal; leave(): void } {
    const signal = new Signal();
    const all = this.#following.get(id) ?? new Set();
    this.#following.set(id, all.add(signal));
    this.#count += 1;
    return {
      signal,
      leave: () => {
        if (!all.delete(signal)) return;
        this.#count -= 1;
        if (all.size === 0) this.#following.delete(id);
      },
    };
  }

  #wake(id: number): void {
    for (const signal of this.#following.get(id) ?? []) signal.wake();
  }
}
