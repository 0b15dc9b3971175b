import { framesOf, headOf, MAX_ERRORS } from './errors.ts';
import { Headers } from './headers.ts';
import { kindOf } from './kind.ts';

const MAX_DEPTH = 6;
const MAX_ITEMS = 200;
const MAX_LENGTH = 40_000;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** Formats values as one line, joined by blanks: strings as they are, other values in readable form. */
export function formatLine(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ');
}

function inspect(value: unknown): string {
  const path: object[] = [];
  let length = 0;

  return show(value);

  function show(item: unknown): string {
    const text = typeof item === 'object' && item !== null ? showObject(item) : showPlain(item);
    length += text.length;
    return text;
  }

  function showObject(item: object): string {
    if (path.includes(item)) return '[Circular]';
    if (length > MAX_LENGTH) return '…';
    if (path.length >= MAX_DEPTH) return Array.isArray(item) ? '[Array]' : '[Object]';
    path.push(item);
    try {
      return showKnown(item) ?? showFields(item);
    } catch (error) {
      return `[unreadable: ${error instanceof Error ? error.name : 'thrown'}]`;
    } finally {
      path.pop();
    }
  }

  function showKnown(item: object): string | undefined {
    if (Array.isArray(item)) return list('[', item, ']', item.length);
    if (item instanceof Error) return showError(item);
    if (item instanceof Date) return Number.isNaN(item.getTime()) ? 'Invalid Date' : item.toISOString();
    if (item instanceof RegExp) return item.toString();
    if (item instanceof Promise) return 'Promise';
    if (item instanceof Set) return list(`Set(${item.size}) {`, item, '}', item.size);
    if (item instanceof Map) return list(`Map(${item.size}) {`, item, '}', item.size, showPair);
    if (item instanceof Headers) return showHeaders([...item]);
    if (item instanceof ArrayBuffer) return `ArrayBuffer(${item.byteLength})`;
    if (ArrayBuffer.isView(item)) return showView(item);
    return undefined;
  }

  function showHeaders(pairs: readonly unknown[]): string {
    return list(`Headers(${pairs.length}) {`, pairs, '}', pairs.length, showPair);
  }

  /** An error that is logged shows where it was thrown, and so do those that caused it; one inside of other values does not. */
  function showError(error: Error): string {
    const parts = [headOf(error)];
    if (path.every((one) => one instanceof Error)) parts.push(...framesOf(error));
    const errors: unknown = 'errors' in error ? error.errors : undefined;
    if (Array.isArray(errors) && errors.length > 0) parts.push(`with errors ${showErrors(errors)}`);
    if (error.cause !== undefined) parts.push(`caused by ${show(error.cause)}`);
    return parts.join(' ');
  }

  function showErrors(errors: readonly unknown[]): string {
    const shown = errors.slice(0, MAX_ERRORS).map((one) => show(one));
    if (errors.length > shown.length) shown.push(`… ${errors.length - shown.length} more`);
    return `[${shown.join(', ')}]`;
  }

  function showView(view: ArrayBufferView): string {
    const name = kindOf(view);
    if (!(view instanceof Uint8Array)) return `${name}(${view.byteLength} bytes)`;
    return list(`${name}(${view.length}) [`, view, ']', view.length);
  }

  function showPair(pair: unknown): string {
    return Array.isArray(pair) ? `${show(pair[0])} => ${show(pair[1])}` : show(pair);
  }

  function showFields(item: object): string {
    const name = className(item);
    const keys = Object.keys(item);
    const shown = keys.slice(0, MAX_ITEMS).map((key) => {
      const field = Object.getOwnPropertyDescriptor(item, key);
      const text = field?.get ? '[Getter]' : show(field?.value);
      return `${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}: ${text}`;
    });
    if (keys.length > MAX_ITEMS) shown.push(`… ${keys.length - MAX_ITEMS} more`);
    // URL and similar classes have no own fields, but a `toString` that shows their content.
    if (keys.length === 0 && name !== '' && typeof item.toString === 'function' && item.toString !== Object.prototype.toString) {
      return String(item);
    }
    return `${name === '' ? '' : `${name} `}${shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`}`;
  }

  function list(open: string, items: Iterable<unknown>, close: string, count: number, showItem = show): string {
    const shown: string[] = [];
    for (const item of items) {
      if (shown.length >= MAX_ITEMS || length > MAX_LENGTH) break;
      shown.push(showItem(item));
    }
    if (count > shown.length) shown.push(`… ${count - shown.length} more`);
    return open === '[' || shown.length === 0 ? `${open}${shown.join(', ')}${close}` : `${open} ${shown.join(', ')} ${close}`;
  }
}

function showPlain(item: unknown): string {
  if (typeof item === 'string') return JSON.stringify(item.length > MAX_LENGTH ? item.slice(0, MAX_LENGTH) : item);
  if (typeof item === 'bigint') return `${item}n`;
  if (typeof item === 'function') return `[Function${typeof item.name === 'string' && item.name !== '' ? ` ${item.name}` : ''}]`;
  if (Object.is(item, -0)) return '-0';
  return String(item);
}

function className(item: object): string {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (prototype === null || prototype === Object.prototype || typeof prototype !== 'object') return '';
  const { constructor: maker } = prototype;
  return typeof maker === 'function' && maker !== Object ? maker.name : '';
}
