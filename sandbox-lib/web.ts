/** The isolate's global object. In the bundle `globalThis` is another object (runner/bundling.ts). */
declare const realGlobal: typeof globalThis;
/** The bundler resolves these calls; a module runs when it is first required. */
declare const require: (name: string) => unknown;

import { AbortController, AbortSignal } from './abort.ts';
import { DOMException } from './dom-exception.ts';
import { TextDecoder, TextEncoder } from './encoding.ts';
import { CustomEvent, Event, EventTarget } from './event-target.ts';
import { Headers } from './headers.ts';
import { structuredClone } from './structured-clone.ts';
import { CryptoKey } from './subtle.ts';

/** Installs the web standard globals. Those of core-js are made at their first use, because loading all of them takes 9 ms. */
export function installWeb(): void {
  lazy('URL', () => require('core-js-pure/stable/url'));
  lazy('URLSearchParams', () => require('core-js-pure/stable/url-search-params'));
  lazy('atob', () => require('core-js-pure/stable/atob'));
  lazy('btoa', () => require('core-js-pure/stable/btoa'));
  const classes = {
    TextEncoder,
    TextDecoder,
    Event,
    CustomEvent,
    EventTarget,
    AbortController,
    AbortSignal,
    DOMException,
    Headers,
    CryptoKey,
  };
  // Older names of the global object, which some libraries use instead of `globalThis`.
  const aliases = { self: realGlobal, global: realGlobal };
  for (const [name, value] of Object.entries({ ...classes, ...aliases, structuredClone, fetch })) {
    Object.defineProperty(realGlobal, name, { value, configurable: true });
  }
}

/** While core-js loads, it looks for what the engine has. A global that was made then would get parts that are not loaded yet. */
let isLoading = false;

function lazy(name: string, load: () => unknown): void {
  let made: { value: unknown } | undefined;
  Object.defineProperty(realGlobal, name, {
    configurable: true,
    get() {
      if (isLoading) return undefined;
      if (made) return made.value;
      isLoading = true;
      try {
        made = { value: load() };
        return made.value;
      } finally {
        isLoading = false;
      }
    },
  });
}

/** Libraries may call `fetch`; the error says what to use instead. */
function fetch(): never {
  throw new TypeError(
    'there is no network in a task: use admin or admin_api for the shop, files for what people upload and fetch, llm.complete for the language model, http.request for other systems',
  );
}
