import { DOMException } from './dom-exception.ts';
import { kindOf } from './kind.ts';

type Seen = Map<object, unknown>;
type View = ArrayBufferView & { length?: number };

const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
const TypedArray: object = Object.getPrototypeOf(Uint8Array.prototype);
/** Objects of classes whose content cannot be copied. */
const REFUSED = new Set(['Promise', 'WeakMap', 'WeakSet', 'URL', 'URLSearchParams', 'Headers', 'Generator', 'AsyncGenerator', 'Symbol']);

/** `structuredClone` of the HTML standard. */
export function structuredClone(...given: unknown[]): unknown {
  if (given.length === 0) throw new TypeError('structuredClone takes a value');
  const moved = transferIn(given[1]);
  const cloned = clone(given[0], new Map());
  for (const buffer of moved) buffer.transfer();
  return cloned;
}

function transferIn(options: unknown): ArrayBuffer[] {
  const list: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'transfer') : undefined;
  if (list === undefined) return [];
  const buffers: ArrayBuffer[] = [];
  for (const one of list as Iterable<unknown>) {
    if (!(one instanceof ArrayBuffer) || one.detached || buffers.includes(one)) throw refusal('only buffers can be transferred, each once');
    buffers.push(one);
  }
  return buffers;
}

function clone(value: unknown, seen: Seen): unknown {
  if (typeof value === 'symbol' || typeof value === 'function') throw refusal(`a ${typeof value} cannot be cloned`);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (Array.isArray(value)) return cloneFields(value, kept(seen, value, emptyList(value.length)), seen);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return cloneFields(value, kept(seen, value, {}), seen);
  return cloneBuiltIn(value, seen) ?? cloneFields(value, kept(seen, value, {}), seen);
}

/** The copy of an object of the language; undefined for one of any other class, of which only the fields are copied. */
function cloneBuiltIn(value: object, seen: Seen): object | undefined {
  try {
    if (value instanceof Map) return cloneMap(value, seen);
    if (value instanceof Set) return cloneSet(value, seen);
    if (value instanceof Date) return kept(seen, value, new Date(Date.prototype.getTime.call(value)));
    if (value instanceof RegExp) return kept(seen, value, new RegExp(value.source, value.flags));
    if (value instanceof Error) return cloneError(value, seen);
    if (value instanceof ArrayBuffer) return kept(seen, value, cloneBuffer(value));
    if (ArrayBuffer.isView(value)) return cloneView(value, seen);
    if (value instanceof Boolean) return kept(seen, value, Object(Boolean.prototype.valueOf.call(value)));
    if (value instanceof Number) return kept(seen, value, Object(Number.prototype.valueOf.call(value)));
    if (value instanceof String) return kept(seen, value, Object(String.prototype.valueOf.call(value)));
    if (value instanceof BigInt) return kept(seen, value, Object(BigInt.prototype.valueOf.call(value)));
  } catch (error) {
    // An object that only inherits from a built-in class is an ordinary object.
    if (!(error instanceof TypeError) || seen.has(value)) throw error;
    throw refusal(`${error.message}, so it cannot be cloned`);
  }
  const kind = kindOf(value);
  if (REFUSED.has(kind)) throw refusal(`a ${kind} cannot be cloned`);
  return undefined;
}

function kept<T extends object>(seen: Seen, of: object, copy: T): T {
  seen.set(of, copy);
  return copy;
}

function emptyList(length: number): unknown[] {
  const list: unknown[] = [];
  list.length = length;
  return list;
}

function cloneFields(value: object, copy: object, seen: Seen): object {
  for (const key of Object.keys(value)) {
    // A getter may have removed the field.
    if (!Object.hasOwn(value, key)) continue;
    const field = clone(Reflect.get(value, key), seen);
    Object.defineProperty(copy, key, { value: field, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

function cloneMap(value: Map<unknown, unknown>, seen: Seen): object {
  const entries: [unknown, unknown][] = [];
  Map.prototype.forEach.call(value, (item, key) => entries.push([key, item]));
  const copy = kept(seen, value, new Map<unknown, unknown>());
  for (const [key, item] of entries) copy.set(clone(key, seen), clone(item, seen));
  return copy;
}

function cloneSet(value: Set<unknown>, seen: Seen): object {
  const items: unknown[] = [];
  Set.prototype.forEach.call(value, (item) => items.push(item));
  const copy = kept(seen, value, new Set<unknown>());
  for (const item of items) copy.add(clone(item, seen));
  return copy;
}

function cloneError(value: Error, seen: Seen): object {
  const { name } = value;
  const field = (key: string): PropertyDescriptor | undefined => Object.getOwnPropertyDescriptor(value, key);
  const message: unknown = field('message')?.value;
  const text = message === undefined ? undefined : String(message);
  const Class = ERRORS.find((one) => one.name === name) ?? Error;
  const copy = kept(seen, value, value instanceof DOMException ? new DOMException(text, String(name)) : new Class(text));
  const keep = (key: string, of: unknown): unknown =>
    Object.defineProperty(copy, key, { value: of, writable: true, enumerable: false, configurable: true });
  if (typeof value.stack === 'string') keep('stack', value.stack);
  if (field('cause')) keep('cause', clone(value.cause, seen));
  if (value instanceof AggregateError) keep('errors', clone(value.errors, seen));
  return copy;
}

function cloneBuffer(buffer: ArrayBuffer): ArrayBuffer {
  if (buffer.detached) throw refusal('a buffer that was transferred cannot be cloned');
  return ArrayBuffer.prototype.slice.call(buffer, 0);
}

function cloneView(view: View, seen: Seen): object {
  const { buffer } = view;
  if (!(buffer instanceof ArrayBuffer)) throw refusal('the view has no buffer');
  const copied: unknown = clone(buffer, seen);
  if (!(copied instanceof ArrayBuffer)) throw refusal('the view has no buffer');
  if (view instanceof DataView) return kept(seen, view, new DataView(copied, view.byteOffset, view.byteLength));
  const Class: unknown = Reflect.get(globalThis, String(Reflect.get(TypedArray, Symbol.toStringTag, view)));
  if (typeof Class !== 'function') throw refusal('the view is of no known kind');
  return kept(seen, view, Reflect.construct(Class, [copied, view.byteOffset, view.length]));
}

function refusal(message: string): DOMException {
  return new DOMException(message, 'DataCloneError');
}
