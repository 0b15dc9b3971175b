import type { Request } from './admin-api.ts';

/** Makes `mail`, which is an ordinary request to the server. */
export function createMail(request: Request): (message: unknown) => Promise<unknown> {
  return async (message) => {
    if (typeof message !== 'object' || message === null) throw new TypeError('mail takes {to, subject, text, html?, reply_to?, kind?}');
    return (await request('POST', '/mails', message)).body;
  };
}
