import type { Calls } from './calls.ts';
import type { Limits } from './guest.ts';
import { bodyText } from './http.ts';
import type { Places } from './secret-places.ts';

/** The answer to a call that was not refused; a refused call throws. */
export type ApiAnswer = { status: number; body: unknown };
export type Request = (method: string, path: unknown, body: unknown) => Promise<ApiAnswer>;

export function createRequest(calls: Calls, limits: Limits, places: () => Places): Request {
  return async (method, path, body) => {
    if (typeof path !== 'string') throw new TypeError('the path must be a string, relative to /admin/api');
    const text = body === undefined ? undefined : bodyText(path, body, places, limits);
    if (path.length > 8192) throw new RangeError('a path may have at most 8192 characters');
    const start = `{"method":"${method}","path":${JSON.stringify(path)}`;
    return JSON.parse(await calls.call('admin_api', text === undefined ? `${start}}` : `${start},"body":${text}}`));
  };
}

/** `admin_api.get/post/put/patch/delete`. */
export function createAdminApi(request: Request): object {
  return Object.freeze({
    async get(path: unknown, ...rest: unknown[]) {
      if (rest.some((value) => value !== undefined)) throw new TypeError('get takes a path only: put the query into it');
      return request('GET', path, undefined);
    },
    post: (path: unknown, body?: unknown) => request('POST', path, body),
    put: (path: unknown, body?: unknown) => request('PUT', path, body),
    patch: (path: unknown, body?: unknown) => request('PATCH', path, body),
    delete: (path: unknown, body?: unknown) => request('DELETE', path, body),
  });
}
