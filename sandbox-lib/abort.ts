type AbortEvent = { readonly type: 'abort'; readonly target: AbortSignal };
type Listener = ((event: AbortEvent) => void) | { handleEvent(event: AbortEvent): void };

let fire: (signal: AbortSignal, reason?: unknown) => void;

/** AbortSignal of the DOM standard, as far as scripts have a use for it: there are no timers to abort by. */
export class AbortSignal {
  onabort: ((event: AbortEvent) => void) | null = null;
  #listeners = new Map<Listener, boolean>();
  #aborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  addEventListener(type: string, listener: Listener, options: boolean | { once?: boolean } = {}): void {
    if (type === 'abort') this.#listeners.set(listener, typeof options === 'object' && options.once === true);
  }

  removeEventListener(type: string, listener: Listener): void {
    if (type === 'abort') this.#listeners.delete(listener);
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    AbortSignal.#fire(signal, reason);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const combined = new AbortSignal();
    for (const signal of signals) {
      if (signal.#aborted) return AbortSignal.abort(signal.#reason);
      signal.addEventListener('abort', () => AbortSignal.#fire(combined, signal.#reason), { once: true });
    }
    return combined;
  }

  static #fire(signal: AbortSignal, reason: unknown = abortError()): void {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason;
    const event: AbortEvent = { type: 'abort', target: signal };
    signal.onabort?.(event);
    for (const [listener, once] of [...signal.#listeners]) {
      if (once) signal.#listeners.delete(listener);
      if (typeof listener === 'function') listener(event);
      else listener.handleEvent(event);
    }
  }

  static {
    fire = (signal, reason) => AbortSignal.#fire(signal, reason);
  }
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason?: unknown): void {
    fire(this.signal, reason);
  }
}

function abortError(): Error {
  const error = new Error('This operation was aborted');
  error.name = 'AbortError';
  return error;
}
