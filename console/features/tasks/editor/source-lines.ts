import operations from 'virtual:operations';
import { CODE, codeIn, linesOf, placeIn } from '../../../../contract/source-text.ts';

/** Functions of the library that make a call of the shop, beside `admin`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'notifications.create': 'notify' };

/**
 * The lines of a source that may have made a write, from 1: those that name its call. A run does not tell which of them it was, and a call by
 * path is not found.
 */
export function linesOfCall(source: string, { method, path }: { method: string; path: string }): number[] {
  const id = callOf(method, path);
  if (id === undefined) return [];
  const [resource = '', name = ''] = id.split('.');
  const other = OTHER_NAMES[id];
  const pattern = new RegExp(
    `\\badmin\\s*\\.\\s*${resource}\\s*\\.\\s*${name}\\b${other === undefined ? '' : `|(?<![.\\w$])${other}\\s*\\(`}`,
    'g',
  );
  const kinds = codeIn(source);
  const lines = linesOf(source);
  const found = [...source.matchAll(pattern)].filter(({ index }) => kinds[index] === CODE).map(({ index }) => placeIn(lines, index).line);
  return [...new Set(found)];
}

/** The id of the operation with this method and path; of several that fit, the one with the most words of its own. */
function callOf(method: string, path: string): string | undefined {
  const parts = partsOf(path.split('?', 1)[0] ?? '');
  const fitting = operations.filter((one) => one.method === method && fits(partsOf(one.path), parts));
  return fitting.toSorted((a, b) => a.paramNames.length - b.paramNames.length)[0]?.id;
}

const partsOf = (path: string): string[] =>
  path
    .replace(/^\/admin\/api/, '')
    .split('/')
    .filter((part) => part !== '');

function fits(template: readonly string[], parts: readonly string[]): boolean {
  return template.length === parts.length && template.every((part, at) => part.startsWith('{') || part === parts[at]);
}
