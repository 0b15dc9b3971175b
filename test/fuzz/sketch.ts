import { isObject, type Json } from '../torture/bad-input/samples.ts';

/**
 * A value of a request that is not known before the sequence runs: the nth of those that earlier answers showed under this name;
 * `otherwise` where they showed none.
 */
export class Seen {
  readonly name: string;
  readonly n: number;
  readonly otherwise: Json;

  constructor(name: string, n: number, otherwise: Json) {
    this.name = name;
    this.n = n;
    this.otherwise = otherwise;
  }
}

/** JSON with places that are filled in when the request is sent. */
export type Sketch = null | boolean | number | string | Seen | Sketch[] | { [name: string]: Sketch };

/** Fills in what a sketch leaves open. */
export function resolved(sketch: Sketch, find: (seen: Seen) => Json): Json {
  if (sketch instanceof Seen) return find(sketch);
  if (Array.isArray(sketch)) return sketch.map((one) => resolved(one, find));
  if (typeof sketch !== 'object' || sketch === null) return sketch;
  const filled: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(sketch)) {
    // An assignment to `__proto__` would set the prototype.
    Object.defineProperty(filled, name, { value: resolved(value, find), enumerable: true, configurable: true, writable: true });
  }
  return filled;
}

/** Whether two values are the same JSON; the order of members does not matter. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, index) => isSame(one, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}
