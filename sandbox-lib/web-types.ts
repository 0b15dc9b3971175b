import type { AbortController as Controller, AbortSignal as Signal } from './abort.ts';
import type { DOMException as Exception } from './dom-exception.ts';
import type { TextDecoder as Decoder, TextEncoder as Encoder } from './encoding.ts';
import type { EventTarget as Target, CustomEvent as TargetCustomEvent, Event as TargetEvent } from './event-target.ts';
import type { Headers as HeaderList } from './headers.ts';

/** The types of the web standard globals that web.ts, timers.ts, clock.ts, random.ts and console.ts make. */
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
  const Headers: typeof HeaderList;
  /** What `crypto.subtle.importKey` gives; its bytes cannot be read. */
  const CryptoKey: { readonly prototype: CryptoKey };
  const URL: {
    new (url: string | URL, base?: string | URL): URL;
    canParse(url: string | URL, base?: string | URL): boolean;
    parse(url: string | URL, base?: string | URL): URL | null;
  };
  const URLSearchParams: {
    new (init?: string | Iterable<readonly [string, string]> | Record<string, string> | URLSearchParams): URLSearchParams;
  };
  function structuredClone<T>(value: T, options?: { transfer?: readonly ArrayBuffer[] }): T;
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

  /** Writes to the run's log. A first text may have places for the values after it: `%s %d %i %f %j %o %O %c`. */
  const console: Record<
    'log' | 'info' | 'warn' | 'error' | 'debug' | 'trace' | 'group' | 'groupCollapsed' | 'dir' | 'table',
    (...values: unknown[]) => void
  > &
    Record<'count' | 'countReset' | 'time' | 'timeEnd', (label?: string) => void> & {
      assert(condition: unknown, ...values: unknown[]): void;
      timeLog(label?: string, ...values: unknown[]): void;
      groupEnd(): void;
    };
  /** The script's clock, which moves only with answers: `now` counts from `timeOrigin`, the start of the script's first run. */
  const performance: { now(): number; readonly timeOrigin: number; toJSON(): { timeOrigin: number } };
  /** Random values are the same again when a run is resumed. */
  const crypto: {
    getRandomValues<T extends ArrayBufferView>(array: T): T;
    randomUUID(): string;
    readonly subtle: SubtleCrypto;
  };

  type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  type HashAlgorithm = HashName | { name: HashName };
  type HmacAlgorithm = 'HMAC' | { name: 'HMAC' };
  type Bytes = ArrayBuffer | ArrayBufferView;
  /** Digests, and HMAC with a key from outside. There are no other algorithms. */
  interface SubtleCrypto {
    digest(algorithm: HashAlgorithm, data: Bytes): Promise<ArrayBuffer>;
    importKey(
      format: 'raw',
      key: Bytes,
      algorithm: { name: 'HMAC'; hash: HashAlgorithm; length?: number },
      extractable: boolean,
      usages: readonly ('sign' | 'verify')[],
    ): Promise<CryptoKey>;
    importKey(
      format: 'jwk',
      key: { kty: 'oct'; k: string },
      algorithm: { name: 'HMAC'; hash: HashAlgorithm; length?: number },
      extractable: boolean,
      usages: readonly ('sign' | 'verify')[],
    ): Promise<CryptoKey>;
    sign(algorithm: HmacAlgorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
    verify(algorithm: HmacAlgorithm, key: CryptoKey, signature: Bytes, data: Bytes): Promise<boolean>;
  }
  interface CryptoKey {
    readonly type: string;
    readonly extractable: boolean;
    readonly algorithm: { readonly name: string; readonly hash: { readonly name: string }; readonly length: number };
    readonly usages: readonly string[];
  }

  type DOMException = Exception;
  type Headers = HeaderList;
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
