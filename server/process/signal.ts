/** Lets waiters sleep until something may have changed. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  fire(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next `fire`, after `ms`, or when `until` aborts. */
  wait(ms: number, until: AbortSignal): Promise<void> {
    if (until.aborted) return Promise.resolve();
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
