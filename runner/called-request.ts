import { z } from 'zod';
import { httpEndpoints } from '../contract/http.ts';
import { checkUrl, httpMethods } from '../contract/http-allow.ts';
import { shownAddress, shownText, withoutQuery } from '../contract/http-shown.ts';
import type { Json } from '../contract/run-events.ts';
import type { LoggedRequest } from './run-log.ts';

const { 'http.fetch': fetching, 'http.send': sending } = httpEndpoints;
const Asked = z.object({ method: z.enum(httpMethods), url: sending.body.shape.url });
/** The answer's own status, which the server writes first; the whole answer may have 4 MiB. */
const STATUS = /^\{"status":(\d{3}),/;

/** What a script's call asks of another system, and how that answered; undefined for any other call, and for what can be no request. */
export function calledRequest(
  { path, body }: { path: string; body?: Json | undefined },
  reply: { status: number; text: string },
): LoggedRequest | undefined {
  if (path !== fetching.path && path !== sending.path) return undefined;
  const { success, data } = Asked.safeParse(body);
  // An address that is none might hold a password.
  if (!success || checkUrl(shownText(data.url)).problem !== undefined) return undefined;
  const [, status] = reply.status === 200 ? (STATUS.exec(reply.text) ?? []) : [];
  return { method: data.method, url: withoutQuery(shownAddress(data.url)), status: status === undefined ? null : Number(status) };
}
