/** The global object; `globalThis` means another one in the bundle (runner/prelude.ts). */
declare const realGlobal: typeof globalThis;
/** Resolved by the bundler; a part runs when it is first asked for. */
declare const require: (name: string) => unknown;

import { AbortController, AbortSignal } from './abort.ts';
import { DOMException } from './dom-exception.ts';
import { TextDecoder, TextEncoder } from './encoding.ts';
import { CustomEvent, Event, EventTarget } from './event-target.ts';

/** Web standard globals. core-js takes 9 ms to set up: its parts are made at their first use. */
export function installWeb(): void {
  lazy('URL', () => require('core-js-pure/stable/url'));
  lazy('URLSearchParams', () => require('core-js-pure/stable/url-search-params'));
  lazy('structuredClone', () => require('core-js-pure/stable/structured-clone'));
  lazy('atob', () => require('core-js-pure/stable/atob'));
  lazy('btoa', () => require('core-js-pure/stable/btoa'));
  const names = { TextEncoder, TextDecoder, Event, CustomEvent, EventTarget, AbortController, AbortSignal, DOMException, fetch };
  // What libraries ask for the global object by, where they don't know its standard name.
  const aliases = { self: realGlobal, global: realGlobal };
  for (const [name, value] of Object.entries({ ...names, ...aliases })) {
    Object.defineProperty(realGlobal, name, { value, configurable: true });
  }
}

function lazy(name: string, make: () => unknown): void {
  let made: { value: unknown } | undefined;
  Object.defineProperty(realGlobal, name, {
    configurable: true,
    get() {
      made ??= { value: make() };
      return made.value;
    },
  });
}

/** For code that is brought along: it says at once what takes its place. */
function fetch(): never {
  throw new TypeError(
    'there is no network in a task: use admin or admin_api for the shop, files for what people upload and fetch, llm.complete for the language model',
  );
}
