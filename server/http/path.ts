import { LOCKER_NETWORK } from '../../contract/shipments.ts';
import { TEMPLATE_PATH } from '../../contract/themes.ts';
import type { Params } from '../verbs/route.ts';

/** Patterns of text parameters (spec C11); a slash in one may be percent-encoded. */
const TEXTS: Readonly<Record<string, RegExp>> = { locker_network: LOCKER_NETWORK, path: TEMPLATE_PATH };

const isId = (name: string): boolean => name.endsWith('id');

/** The pattern of an endpoint's paths, with one capture for each parameter, and a function that reads the parameters from the captures. */
export type EndpointPath = { pattern: RegExp; paramsOf(captures: readonly string[]): Params };

/** Makes the pattern itself, because path-to-regexp no longer supports patterns for parameters. */
export function endpointPath(path: string): EndpointPath {
  const names: string[] = [];
  const source = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    if (isId(name)) return '(\\d+)';
    const text = TEXTS[name]?.source.replace(/^\^|\$$/g, '') ?? '[^/]+';
    return `(${text.replaceAll('\\/', '(?:\\/|%2[Ff])')})`;
  });
  return {
    pattern: new RegExp(`^${source}$`),
    paramsOf(captures) {
      const params: Params = {};
      for (const [i, name] of names.entries()) {
        const text = captures[i] ?? '';
        params[name] = isId(name) ? Number(text) : decodeURIComponent(text);
      }
      return params;
    },
  };
}

/** A path as refusals name it: without the secret part of a hook's address, because senders keep what they are answered. */
export function shownPath(path: string): string {
  return path.replace(/^(\/hooks\/).+$/s, '$1…');
}
