/** Lets waiters sleep until something may have changed. */
export class Signal {
  readonly #waiting = new Set<() => void>();
  #tell: () => void = () => undefined;
  #count = 0;

  /** Grows with each wake. Who reads it before looking for changes, and waits `since` then, misses none in between. */
  get count(): number {
    return this.#count;
  }

  /** Wakes all who wait, here and, where others hear of this signal, there. */
  fire(): void {
    this.wake();
    this.#tell();
  }

  /** Wakes all who wait here. */
  wake(): void {
    this.#count += 1;
    for (const wake of [...this.#waiting]) wake();
  }

  /** `tell` is called at each `fire`. */
  onFire(tell: () => void): void {
    this.#tell = tell;
  }

  /** Resolves at the next wake after the one counted in `since`, after `ms`, or when `until` aborts. */
  wait(ms: number, until: AbortSignal, since = this.#count): Promise<void> {
    if (until.aborted || this.#count !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        until.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      until.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}

/** Waits so long, or until `until` aborts. */
export function pause(ms: number, until: AbortSignal): Promise<void> {
  return ms > 0 ? new Signal().wait(ms, until) : Promise.resolve();
}
