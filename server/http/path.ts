import type { Endpoint } from '../../contract/endpoint.ts';
import { LOCKER_NETWORK } from '../../contract/shipments.ts';
import { TEMPLATE_PATH } from '../../contract/themes.ts';
import { Refusal } from '../problem.ts';
import type { Params } from '../verbs/route.ts';

/** What a parameter that is text may look like (decisions.md C11); a slash in one may be encoded. */
const TEXTS: Readonly<Record<string, RegExp>> = { locker_network: LOCKER_NETWORK, path: TEMPLATE_PATH };

const PARAMETER = /\{(\w+)\}/g;
const isId = (name: string): boolean => name.endsWith('id');

/** The paths of an endpoint, with a capture for each parameter: path-to-regexp has no patterns for them any more. */
export function patternOf(path: string): RegExp {
  const source = path.replaceAll(PARAMETER, (_, name: string) => {
    if (isId(name)) return '(\\d+)';
    const text = TEXTS[name]?.source.replace(/^\^|\$$/g, '') ?? '[^/]+';
    return `(${text.replaceAll('\\/', '(?:\\/|%2[Ff])')})`;
  });
  return new RegExp(`^${source}$`);
}

/** The parameters of a path, by the captures of its pattern. */
export function paramsOf({ path }: Endpoint, captures: readonly string[]): Params {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name, i) => {
      const text = captures[i] ?? '';
      return [name, isId(name) ? Number(text) : decodeURIComponent(text)];
    }),
  );
}

/** Path ids must be positive safe integers; others are records that do not exist (decisions.md R3). */
export function checkIds(params: Params): void {
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number' && (!Number.isSafeInteger(value) || value <= 0)) {
      throw new Refusal('not_found', `There is no record with the ${name} ${value}.`);
    }
  }
}
