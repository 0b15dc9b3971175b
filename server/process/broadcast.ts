import type { Signal } from './signal.ts';

/** The way to the other servers of the shop. */
export type Others = { tell(text: string): void; areHeard(): boolean };

/** `hear` gets the rest of a text of another server; `missed` is called when such texts may have been lost. */
export type Listener = { hear(text: string): void; missed?(): void };

/** Signals that also fire when another server has fired them. What fires them has been committed. */
export class Broadcast {
  readonly #signals = new Map<string, Signal>();
  readonly #listeners = new Map<string, Listener>();
  readonly #pollMs: number;
  #others: Others | null = null;

  /** `pollMs`: how often those look for changes nevertheless who would hear of them. */
  constructor(pollMs: number) {
    this.#pollMs = pollMs;
  }

  /** Adds a signal under a name without spaces. */
  add<T extends Signal>(name: string, signal: T): T {
    signal.onFire(() => this.tell(name));
    this.#signals.set(name, signal);
    return signal;
  }

  /** Listens to texts of other servers that begin with this name and a space. */
  listen(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }

  tell(text: string): void {
    this.#others?.tell(text);
  }

  /** How long to wait until the next look for what a signal tells; `aloneMs` where other servers are not heard. */
  pollMs(aloneMs: number): number {
    return this.#others?.areHeard() ? Math.max(aloneMs, this.#pollMs) : aloneMs;
  }

  /** Whether there may be other servers to tell. */
  hasOthers(): boolean {
    return this.#others !== null;
  }

  join(others: Others): void {
    this.#others = others;
  }

  /** To be called with what another server has told. */
  hear(text: string): void {
    this.#signals.get(text)?.wake();
    const end = text.indexOf(' ');
    if (end !== -1) this.#listeners.get(text.slice(0, end))?.hear(text.slice(end + 1));
  }

  /** To be called when anything may have been missed. */
  missed(): void {
    for (const signal of this.#signals.values()) signal.wake();
    for (const listener of this.#listeners.values()) listener.missed?.();
  }
}
