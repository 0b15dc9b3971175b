type Init = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const SPACE_AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g;
/** What a header cannot have: the end of a line, and characters that are no byte. */
const NO_VALUE = /[\0\r\n]|[^\0-\xff]/;
/** The one header whose values cannot be joined. */
const APART = 'set-cookie';

/** Headers of the Fetch standard. */
export class Headers {
  readonly #values = new Map<string, string[]>();

  constructor(init?: Init | null) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError('Headers takes an object, a list of pairs or other Headers');
    const pairs: Iterable<unknown> = isIterable(init) ? init : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...rest]: unknown[] = typeof pair === 'object' && pair !== null && isIterable(pair) ? [...pair] : [];
      if (value === undefined || rest.length > 0) throw new TypeError('each header must be a pair of name and value');
      this.#add(name, value);
    }
  }

  get [Symbol.toStringTag](): string {
    return 'Headers';
  }

  append(name: string, value: string): void {
    this.#add(name, value);
  }

  delete(name: string): void {
    this.#values.delete(nameOf(name));
  }

  get(name: string): string | null {
    return this.#values.get(nameOf(name))?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get(APART) ?? [])];
  }

  has(name: string): boolean {
    return this.#values.has(nameOf(name));
  }

  set(name: string, value: string): void {
    this.#values.set(nameOf(name), [trimmed(value)]);
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  /** By name in alphabetical order, with the values of one name joined; what changes meanwhile is seen. */
  *entries(): IterableIterator<[string, string]> {
    for (let at = 0; ; at += 1) {
      const pair = this.#sorted()[at];
      if (!pair) return;
      yield pair;
    }
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  #add(name: unknown, value: unknown): void {
    const at = nameOf(name);
    const added = trimmed(value);
    const before = this.#values.get(at);
    if (before) before.push(added);
    else this.#values.set(at, [added]);
  }

  #sorted(): [string, string][] {
    const names = [...this.#values.keys()].sort();
    return names.flatMap((name): [string, string][] => {
      const values = this.#values.get(name) ?? [];
      return name === APART ? values.map((value): [string, string] => [name, value]) : [[name, values.join(', ')]];
    });
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function';
}

function nameOf(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError(`${JSON.stringify(text.slice(0, 100))} is no name of a header`);
  return text.toLowerCase();
}

function trimmed(value: unknown): string {
  const text = String(value).replace(SPACE_AROUND, '');
  if (NO_VALUE.test(text)) throw new TypeError('the value of a header is one line of characters up to U+00FF');
  return text;
}
