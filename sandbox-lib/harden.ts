/** The isolate's global object. In the bundle `globalThis` is another object (runner/bundling.ts). */
declare const realGlobal: typeof globalThis;

/** Globals by which a script could observe other threads, the garbage collector or the real time, or make code from strings. */
const REMOVED = ['eval', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'];

/**
 * V8 makes these anew, or adds its newest functions to them, whenever it makes a context from a snapshot, and ends the process where it
 * cannot. So they are removed and frozen only then.
 */
const COMPLETED_LATER = new Set<PropertyKey>([
  ...[
    'Promise',
    'RegExp',
    'Error',
    'Uint8Array',
    'Map',
    'Iterator',
    'WeakMap',
    'SuppressedError',
    'DisposableStack',
    'AsyncDisposableStack',
  ],
  ...['Temporal', 'Date', 'Atomics', 'SharedArrayBuffer', 'WebAssembly'],
]);

/** The globals of the snapshot. */
let known: ReadonlySet<PropertyKey> = new Set();

/** Replaces what could make code from strings or memory that is not counted. Must be called before `freezeIntrinsics`. */
export function removePowers(): void {
  refuseCodeFromStrings();
  fixBufferSizes();
}

/**
 * Freezes the globals and their prototypes, so that a script cannot change what the prelude relies on, and makes the globals impossible
 * to replace. Scripts can still add properties to the global object.
 */
export function freezeIntrinsics(): void {
  for (const name of REMOVED) if (!COMPLETED_LATER.has(name)) Reflect.deleteProperty(realGlobal, name);
  for (const key of Reflect.ownKeys(realGlobal)) if (!COMPLETED_LATER.has(key)) freezeGlobal(key);
  const later = new Set(prototypesOfIterators());
  for (const hidden of hiddenIntrinsics()) if (!later.has(hidden)) freezeInherited(hidden);
  known = new Set(Reflect.ownKeys(realGlobal));
}

/** Removes and freezes what V8 has added to a new context. Must be called in each, before any script. */
export function hardenNewContext(): void {
  for (const name of REMOVED) Reflect.deleteProperty(realGlobal, name);
  // V8 accepts only a data property here. It stays writable, because libraries set it to 0 for a moment; it affects only this isolate.
  Object.defineProperty(Error, 'stackTraceLimit', { value: 20, writable: true, enumerable: true, configurable: false });
  for (const key of COMPLETED_LATER) freezeGlobal(key);
  for (const prototype of prototypesOfIterators()) freezeInherited(prototype);
  // Nothing that this file does not know may stay: a later V8 may add a global of its own.
  for (const key of Reflect.ownKeys(realGlobal)) if (!known.has(key)) Reflect.deleteProperty(realGlobal, key);
}

/** Freezes a global and makes it impossible to replace or remove. */
function freezeGlobal(key: PropertyKey): void {
  const descriptor = Object.getOwnPropertyDescriptor(realGlobal, key);
  const value: unknown = descriptor?.value;
  if (isObject(value) && value !== realGlobal) freezeWithPrototype(value);
  if (descriptor?.configurable) {
    Object.defineProperty(realGlobal, key, 'value' in descriptor ? { configurable: false, writable: false } : { configurable: false });
  }
}

/** Prepares a namespace at its first use. Preparing one takes as long as all the rest, and few scripts use these namespaces. */
export function prepareOnFirstUse(name: string, prepare: () => void): void {
  const namespace: unknown = Reflect.get(realGlobal, name);
  if (!isObject(namespace)) return;
  let prepared = false;
  Object.defineProperty(realGlobal, name, {
    configurable: true,
    get() {
      if (prepared) return namespace;
      prepared = true;
      prepare();
      for (const key of Reflect.ownKeys(namespace)) {
        const part: unknown = Object.getOwnPropertyDescriptor(namespace, key)?.value;
        if (isObject(part)) freezeWithPrototype(part);
      }
      return Object.freeze(namespace);
    },
  });
}

function refuseCodeFromStrings(): void {
  const samples = [function sample() {}, async function sample() {}, function* sample() {}, async function* sample() {}];
  for (const sample of samples) {
    const prototype: object = Object.getPrototypeOf(sample);
    const host: unknown = Reflect.get(prototype, 'constructor');
    if (typeof host !== 'function') continue;
    // This is no arrow function, because `new Function` and `class extends Function` must reach it too.
    function refusing(...code: unknown[]): unknown {
      if (code.length > 0)
        throw new EvalError(
          'code from strings is refused: what was approved is what runs; templates and schemas are compiled before the upload',
        );
      return () => undefined;
    }
    define(refusing, 'name', host.name);
    define(refusing, 'length', 1);
    define(refusing, 'prototype', prototype);
    define(prototype, 'constructor', refusing);
    if (host === Function) define(realGlobal, 'Function', refusing);
  }
}

/** Removes resizable buffers, because memory that a buffer gains by growing is not counted against the isolate's limit. */
function fixBufferSizes(): void {
  const Host = ArrayBuffer;
  function FixedArrayBuffer(length?: unknown): unknown {
    if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    return Reflect.construct(Host, [length], new.target);
  }
  define(FixedArrayBuffer, 'name', 'ArrayBuffer');
  define(FixedArrayBuffer, 'prototype', Host.prototype);
  define(FixedArrayBuffer, 'isView', Host.isView);
  Object.defineProperty(FixedArrayBuffer, Symbol.species, {
    get(this: unknown) {
      return this;
    },
  });
  define(Host.prototype, 'constructor', FixedArrayBuffer);
  for (const key of ['resize', 'resizable', 'maxByteLength']) Reflect.deleteProperty(Host.prototype, key);
  define(realGlobal, 'ArrayBuffer', FixedArrayBuffer);
}

function freezeWithPrototype(value: object): void {
  const prototype: unknown = typeof value === 'function' ? Object.getOwnPropertyDescriptor(value, 'prototype')?.value : undefined;
  if (isObject(prototype)) freezeInherited(prototype);
  // No object inherits from namespaces such as Math, so a plain freeze is enough.
  if (typeof value === 'function') freezeInherited(value);
  else Object.freeze(value);
}

/** Freezes an object that others inherit from, such that assignments to those others still work. */
function freezeInherited(object: object): void {
  if (!Object.isExtensible(object)) return;
  allowOverrides(object);
  // The length of Array.prototype cannot become an accessor, and `push` on an object that inherits from it must be able to set one.
  if (object === Array.prototype || object === Error) Object.seal(object);
  else Object.freeze(object);
}

/**
 * An assignment cannot shadow a frozen property of a prototype (`this.get = …` in a subclass of Map throws). So each writable
 * property becomes an accessor whose setter defines the property on the object that the assignment names. Libraries that look at
 * descriptors (get-intrinsic, below qs and many others) know by `originalValue` that the getter stands for a value.
 */
function allowOverrides(object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value, writable, configurable, enumerable } = Object.getOwnPropertyDescriptor(object, key) ?? {};
    if (!writable || !configurable) continue;
    const get = (): unknown => value;
    define(get, 'originalValue', value);
    Object.defineProperty(object, key, {
      configurable: false,
      enumerable: enumerable === true,
      get,
      set(this: unknown, next: unknown) {
        shadow(object, this, key, next);
      },
    });
  }
}

/** Does what an assignment to `target` would do without the accessor; it never changes the prototype that has the accessor. */
function shadow(prototype: object, target: unknown, key: PropertyKey, value: unknown): void {
  const own = isObject(target) ? Reflect.getOwnPropertyDescriptor(target, key) : undefined;
  const descriptor = own ? { value } : { value, writable: true, enumerable: true, configurable: true };
  if (target === prototype || !isObject(target) || (own && !own.writable) || !Reflect.defineProperty(target, key, descriptor)) {
    throw new TypeError(`Cannot assign to read only property '${String(key)}'`);
  }
}

/** Built-in prototypes that no global refers to, such as those of generators and iterators. */
function hiddenIntrinsics(): object[] {
  const found: object[] = [];
  const add = (value: unknown): void => {
    if (isObject(value)) found.push(value);
  };
  const generators = [async () => {}, function* () {}, async function* () {}];
  for (const sample of generators) {
    add(Object.getPrototypeOf(sample));
    const instance: unknown = Reflect.get(sample, 'prototype');
    if (!isObject(instance)) continue;
    const generator: unknown = Object.getPrototypeOf(instance);
    add(generator);
    if (isObject(generator)) add(Object.getPrototypeOf(generator));
  }
  const iterators = [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    'a'.matchAll(/a/g),
  ];
  for (const iterator of [...iterators, [].values().map(String), Iterator.from({ next: () => ({ done: true, value: undefined }) })]) {
    add(Object.getPrototypeOf(iterator));
  }
  add(Object.getPrototypeOf(Uint8Array));
  add(Object.getPrototypeOf(Uint8Array.prototype));
  return found;
}

/** The prototypes that all iterators, and all asynchronous ones, have in common; V8 completes them later, too. */
function prototypesOfIterators(): object[] {
  return [function* () {}, async function* () {}].map((sample) => {
    const generator: object = Object.getPrototypeOf(sample.prototype);
    return Object.getPrototypeOf(generator);
  });
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value });
}
