type Listener = ((event: Event) => void) | { handleEvent(event: Event): void } | null;
type ListenerOptions = boolean | { capture?: boolean; once?: boolean; signal?: Abortable };
/** The part of AbortSignal that a listener needs. */
type Abortable = { readonly aborted: boolean; addEventListener(type: string, listener: Listener): void };
type Entry = { type: string; listener: Exclude<Listener, null>; capture: boolean; once: boolean; removed: boolean };

let dispatch: (event: Event, target: EventTarget, listeners: readonly Entry[], remove: (entry: Entry) => void) => void;

/** Event of the DOM standard, for targets without parents. */
export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly isTrusted = false;
  readonly timeStamp = performance.now();
  #target: EventTarget | null = null;
  #current: EventTarget | null = null;
  #canceled = false;
  #stopped = false;
  #dispatching = false;

  constructor(type: string, init: { bubbles?: boolean; cancelable?: boolean; composed?: boolean } | null = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init?.bubbles);
    this.cancelable = Boolean(init?.cancelable);
    this.composed = Boolean(init?.composed);
  }

  get target(): EventTarget | null {
    return this.#target;
  }

  get currentTarget(): EventTarget | null {
    return this.#current;
  }

  get eventPhase(): number {
    return this.#dispatching ? 2 : 0;
  }

  get defaultPrevented(): boolean {
    return this.#canceled;
  }

  preventDefault(): void {
    if (this.cancelable) this.#canceled = true;
  }

  /** Does nothing: a target has no parent to which the event could propagate. */
  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.#stopped = true;
  }

  composedPath(): EventTarget[] {
    return this.#current ? [this.#current] : [];
  }

  static {
    dispatch = (event, target, listeners, remove) => {
      if (event.#dispatching) throw new TypeError('the event is being dispatched already');
      event.#dispatching = true;
      event.#target = target;
      event.#current = target;
      for (const entry of listeners) {
        if (event.#stopped) break;
        if (entry.removed) continue;
        if (entry.once) remove(entry);
        callListener(entry, event, target);
      }
      event.#current = null;
      event.#stopped = false;
      event.#dispatching = false;
    };
  }
}

/** CustomEvent of the DOM standard: an event with data of the code that dispatches it. */
export class CustomEvent<Detail = unknown> extends Event {
  readonly detail: Detail | null;

  constructor(type: string, init: (ConstructorParameters<typeof Event>[1] & { detail?: Detail }) | null = {}) {
    super(type, init);
    this.detail = init?.detail ?? null;
  }
}

/** EventTarget of the DOM standard. */
export class EventTarget {
  #listeners: Entry[] = [];

  addEventListener(type: string, listener: Listener, options: ListenerOptions = {}): void {
    const { capture = false, once = false, signal } = typeof options === 'object' && options !== null ? options : { capture: options };
    if (listener === null || listener === undefined || signal?.aborted) return;
    if (typeof listener !== 'function' && typeof listener !== 'object') throw new TypeError('a listener must be a function or an object');
    if (this.#find(type, listener, capture)) return;
    const entry = { type: String(type), listener, capture: Boolean(capture), once: Boolean(once), removed: false };
    this.#listeners.push(entry);
    signal?.addEventListener('abort', () => this.#remove(entry));
  }

  removeEventListener(type: string, listener: Listener, options: ListenerOptions = {}): void {
    const entry = this.#find(type, listener, typeof options === 'object' && options !== null ? options.capture : options);
    if (entry) this.#remove(entry);
  }

  /**
   * Returns false when a listener called `preventDefault`. An error thrown by a listener fails the run, but the other
   * listeners are still called.
   */
  dispatchEvent(event: Event): boolean {
    if (!(event instanceof Event)) throw new TypeError('dispatchEvent takes an Event');
    const listeners = this.#listeners.filter(({ type }) => type === event.type);
    dispatch(event, this, listeners, (entry) => this.#remove(entry));
    return !event.defaultPrevented;
  }

  #find(type: string, listener: Listener, capture = false): Entry | undefined {
    return this.#listeners.find(
      (entry) => entry.type === String(type) && entry.listener === listener && entry.capture === Boolean(capture),
    );
  }

  #remove(entry: Entry): void {
    entry.removed = true;
    this.#listeners = this.#listeners.filter((other) => other !== entry);
  }
}

function callListener({ listener }: Entry, event: Event, target: EventTarget): void {
  try {
    if (typeof listener === 'function') listener.call(target, event);
    else listener.handleEvent(event);
  } catch (error) {
    // The error becomes an unhandled rejection, which fails the run.
    void Promise.reject(error);
  }
}
