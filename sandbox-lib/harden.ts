/** The global object; `globalThis` means another one in the bundle (runner/prelude.ts). */
declare const realGlobal: typeof globalThis;

/** What would let a script see other threads, the garbage collector or a real clock, or make code. */
const REMOVED = ['eval', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'];

/** Takes away what scripts must not have. Before any script, and before `freezeIntrinsics`. */
export function removePowers(): void {
  for (const name of REMOVED) Reflect.deleteProperty(realGlobal, name);
  refuseCodeFromStrings();
  fixBufferSizes();
}

/**
 * Freezes the globals and their prototypes, so that no script changes what the prelude or a later part of itself
 * relies on. What scripts may add to the global object stays possible.
 */
export function freezeIntrinsics(): void {
  // V8 reads it only as a value. It stays writable: libraries set it to 0 for a moment, and it goes for this script alone.
  Object.defineProperty(Error, 'stackTraceLimit', { value: 20, writable: true, enumerable: true, configurable: false });
  for (const key of Reflect.ownKeys(realGlobal)) {
    const value: unknown = Object.getOwnPropertyDescriptor(realGlobal, key)?.value;
    if (isObject(value) && value !== realGlobal) freezeWithPrototype(value);
  }
  for (const hidden of hiddenIntrinsics()) freezeInherited(hidden);
}

/** For namespaces that few scripts use: to set one up costs as much as all else, so it happens at its first use. */
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

/** No global that exists by now can be replaced or removed. */
export function sealGlobals(): void {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(realGlobal))) {
    if (!descriptor.configurable) continue;
    Object.defineProperty(realGlobal, key, 'value' in descriptor ? { configurable: false, writable: false } : { configurable: false });
  }
}

function refuseCodeFromStrings(): void {
  const samples = [function sample() {}, async function sample() {}, function* sample() {}, async function* sample() {}];
  for (const sample of samples) {
    const prototype: object = Object.getPrototypeOf(sample);
    const host: unknown = Reflect.get(prototype, 'constructor');
    if (typeof host !== 'function') continue;
    // Not an arrow function: scripts write `new Function` and `class extends Function` too.
    function refusing(...code: unknown[]): unknown {
      if (code.length > 0) throw new EvalError('code from strings is refused: what was approved is what runs');
      return () => undefined;
    }
    define(refusing, 'name', host.name);
    define(refusing, 'length', 1);
    define(refusing, 'prototype', prototype);
    define(prototype, 'constructor', refusing);
    if (host === Function) define(realGlobal, 'Function', refusing);
  }
}

/** A buffer has one size for life: growing ones escape the count of the isolate's memory. */
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
  // Nothing inherits from Math and its like.
  if (typeof value === 'function') freezeInherited(value);
  else Object.freeze(value);
}

/** Freezes what other objects inherit from, and leaves those as free as if it were not frozen. */
function freezeInherited(object: object): void {
  if (!Object.isExtensible(object)) return;
  allowOverrides(object);
  // The length of an array can't be an accessor, and `push` assigns it to what inherits from Array.prototype.
  if (object === Array.prototype || object === Error) Object.seal(object);
  else Object.freeze(object);
}

/**
 * A frozen property of a prototype can't be shadowed by assignment (`this.get = …` in a subclass of Map throws). So what
 * was writable becomes an accessor, whose setter defines the property on the object that is assigned to.
 */
function allowOverrides(object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value, writable, configurable, enumerable } = Object.getOwnPropertyDescriptor(object, key) ?? {};
    if (!writable || !configurable) continue;
    Object.defineProperty(object, key, {
      configurable: false,
      enumerable: enumerable === true,
      get: () => value,
      set(this: unknown, next: unknown) {
        shadow(object, this, key, next);
      },
    });
  }
}

/** What an assignment does to the object that it is meant for, never to the prototype where the property was found. */
function shadow(prototype: object, target: unknown, key: PropertyKey, value: unknown): void {
  const own = isObject(target) ? Reflect.getOwnPropertyDescriptor(target, key) : undefined;
  const descriptor = own ? { value } : { value, writable: true, enumerable: true, configurable: true };
  if (target === prototype || !isObject(target) || (own && !own.writable) || !Reflect.defineProperty(target, key, descriptor)) {
    throw new TypeError(`Cannot assign to read only property '${String(key)}'`);
  }
}

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

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value });
}
