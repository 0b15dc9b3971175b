import { DOMException } from './dom-exception.ts';
import { Event, EventTarget } from './event-target.ts';

let fire: (signal: AbortSignal, reason?: unknown) => void;

/** AbortSignal of the DOM standard, without `timeout`. */
export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => void) | null = null;
  #aborted = false;
  #reason: unknown;

  constructor() {
    super();
    this.addEventListener('abort', (event) => this.onabort?.(event));
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
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
    signal.dispatchEvent(new Event('abort'));
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
  return new DOMException('This operation was aborted', 'AbortError');
}
