import type { AbortController as Controller, AbortSignal as Signal } from './abort.ts';
import type { DOMException as Exception } from './dom-exception.ts';
import type { TextDecoder as Decoder, TextEncoder as Encoder } from './encoding.ts';
import type { EventTarget as Target, CustomEvent as TargetCustomEvent, Event as TargetEvent } from './event-target.ts';

/** The types of the web standard globals that web.ts and timers.ts make. */
declare global {
  const TextEncoder: typeof Encoder;
  const TextDecoder: typeof Decoder;
  const self: typeof globalThis;
  const global: typeof globalThis;
  const Event: typeof TargetEvent;
  const CustomEvent: typeof TargetCustomEvent;
  const EventTarget: typeof Target;
  const AbortController: typeof Controller;
  const AbortSignal: typeof Signal;
  const DOMException: typeof Exception;
  const URL: {
    new (url: string | URL, base?: string | URL): URL;
    canParse(url: string | URL, base?: string | URL): boolean;
    parse(url: string | URL, base?: string | URL): URL | null;
  };
  const URLSearchParams: {
    new (init?: string | Iterable<readonly [string, string]> | Record<string, string> | URLSearchParams): URLSearchParams;
  };
  function structuredClone<T>(value: T): T;
  /** The timer runs on the script's clock, as `sleep` does. Timers that are pending when the task ends are dropped. */
  function setTimeout<Args extends unknown[]>(callback: (...args: Args) => void, ms?: number, ...args: Args): number;
  function setInterval<Args extends unknown[]>(callback: (...args: Args) => void, ms?: number, ...args: Args): number;
  function clearTimeout(id?: number | null): void;
  function clearInterval(id?: number | null): void;
  function queueMicrotask(callback: () => void): void;
  /** @deprecated Throws: there is no network in a task. Use `http.request`. */
  function fetch(...args: unknown[]): never;
  function atob(base64: string): string;
  function btoa(latin1: string): string;

  type DOMException = Exception;
  type CustomEvent<Detail = unknown> = TargetCustomEvent<Detail>;
  type Event = TargetEvent;
  type EventTarget = Target;
  type AbortController = Controller;
  type AbortSignal = Signal;

  interface URL {
    href: string;
    readonly origin: string;
    protocol: string;
    username: string;
    password: string;
    host: string;
    hostname: string;
    port: string;
    pathname: string;
    search: string;
    hash: string;
    readonly searchParams: URLSearchParams;
    toString(): string;
    toJSON(): string;
  }

  interface URLSearchParams extends Iterable<[string, string]> {
    readonly size: number;
    append(name: string, value: string): void;
    delete(name: string, value?: string): void;
    get(name: string): string | null;
    getAll(name: string): string[];
    has(name: string, value?: string): boolean;
    set(name: string, value: string): void;
    sort(): void;
    entries(): IterableIterator<[string, string]>;
    keys(): IterableIterator<string>;
    values(): IterableIterator<string>;
    forEach(visit: (value: string, name: string) => void): void;
    toString(): string;
  }
}
