import FindMyWay from 'find-my-way';
import type { Endpoint } from '../../contract/endpoint.ts';
import { LOCKER_NETWORK } from '../../contract/shipments.ts';
import { TEMPLATE_PATH } from '../../contract/themes.ts';
import { Refusal } from '../problem.ts';

export const PREFIX = '/admin/api';

export type Params = Record<string, string | number>;
/** What a path offers: a route per method, and the path's parameters under that route's names. */
export type PathMatch<Route> = { allowed: readonly string[]; find(method: string): { route: Route; params: Params } | undefined };
export type Router<Route> = { match(pathname: string): PathMatch<Route> | null };

/** What a parameter that is text may look like (decisions.md C11); ids are digits. */
const PATTERNS: Record<string, RegExp> = { locker_network: LOCKER_NETWORK, path: TEMPLATE_PATH };
const DIGITS = /^\d+$/;
const ANY = /^[^/]+$/;

/** The parameter that takes all that is left of a path, slashes too. */
const REST = 'path';

const isId = (name: string): boolean => name.endsWith('id');
const patternOf = (name: string): RegExp => (isId(name) ? DIGITS : (PATTERNS[name] ?? ANY));

type Candidate<Route> = { method: string; route: Route; names: readonly string[] };

/** Matches a path once for all methods, so that 405 can say what is allowed. Static segments win over parameters. */
export function createRouter<Route>(list: readonly (readonly [Endpoint, Route])[]): Router<Route> {
  const byShape = new Map<string, Candidate<Route>[]>();
  for (const [endpoint, route] of list) {
    const names: string[] = [];
    // Parameters are named by place: two endpoints may call the same segment differently.
    const shape = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return name === REST ? '*' : `:p${names.length - 1}`;
    });
    const candidates = byShape.get(shape) ?? [];
    byShape.set(shape, candidates);
    candidates.push({ method: endpoint.method, route, names });
  }
  const router = FindMyWay({ caseSensitive: true, maxParamLength: 500 });
  const byStore = new Map<unknown, readonly Candidate<Route>[]>();
  for (const [shape, candidates] of byShape) {
    const key = {};
    byStore.set(key, candidates);
    router.on('GET', shape, () => undefined, key);
  }
  return {
    match(pathname) {
      const found = router.find('GET', pathname);
      const candidates = found
        ? byStore.get(found.store)?.filter(({ names }) => names.every((name, i) => patternOf(name).test(textOf(found.params, name, i))))
        : undefined;
      if (!found || !candidates || candidates.length === 0) return null;
      return {
        allowed: candidates.map(({ method }) => method),
        find: (method) => {
          const named = candidates.find((candidate) => candidate.method === method);
          if (!named) return undefined;
          const params: Params = {};
          for (const [i, name] of named.names.entries()) {
            const text = textOf(found.params, name, i);
            params[name] = isId(name) ? Number(text) : text;
          }
          return { route: named.route, params };
        },
      };
    },
  };
}

function textOf(params: Record<string, string | undefined>, name: string, index: number): string {
  return params[name === REST ? '*' : `p${index}`] ?? '';
}

/** Path ids must be positive safe integers; others are records that do not exist (decisions.md R3). */
export function checkIds(params: Params): void {
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number' && (!Number.isSafeInteger(value) || value <= 0)) {
      throw new Refusal('not_found', `There is no record with the ${name} ${value}.`);
    }
  }
}

/** 400 where the percent-encoding of path or query is broken (decisions.md R2, 1.11). */
export function checkEncoding({ pathname, search }: { pathname: string; search: string }): void {
  try {
    decodeURIComponent(pathname);
    decodeURIComponent(search);
  } catch (cause) {
    throw new Refusal('malformed_path', 'Path or query is not valid percent-encoding.', { cause });
  }
}
