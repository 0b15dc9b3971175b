import type { Request } from './admin-api.ts';

/** Makes `notify`, which is an ordinary request to the server. */
export function createNotify(request: Request): (message: unknown) => Promise<unknown> {
  return async (message) => {
    if (typeof message !== 'object' || message === null) throw new TypeError('notify takes {title, body, link?, admins?, severity?}');
    return (await request('POST', '/notifications', message)).body;
  };
}
