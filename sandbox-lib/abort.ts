import { DOMException } from './dom-exception.ts';
import { Event, EventTarget } from './event-target.ts';

let fire: (signal: AbortSignal, reason?: unknown) => void;
let startTimer = (_fire: () => void, _ms: number): void => {};

/** Sets what calls a function after a time of the script's clock. */
export function timeSignalsBy(start: (fire: () => void, ms: number) => void): void {
  startTimer = start;
}

/** AbortSignal of the DOM standard. */
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

  /** Aborts after this time of the script's clock. The run does not wait for it. */
  static timeout(ms: number): AbortSignal {
    const whole = Math.trunc(Number(ms));
    if (!(whole >= 0 && whole <= Number.MAX_SAFE_INTEGER)) throw new TypeError('AbortSignal.timeout takes a time in milliseconds');
    const signal = new AbortSignal();
    startTimer(() => AbortSignal.#fire(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), whole);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const sources = [...signals];
    if (!sources.every((one) => one instanceof AbortSignal)) throw new TypeError('AbortSignal.any takes a list of signals');
    const combined = new AbortSignal();
    const aborted = sources.find((source) => source.#aborted);
    if (aborted) AbortSignal.#fire(combined, aborted.#reason);
    else {
      for (const source of sources) {
        source.addEventListener('abort', () => AbortSignal.#fire(combined, source.#reason), { once: true, signal: combined });
      }
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
