import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../verbs/problem.ts';
import { CLIENT, type Payload, type Records } from './records.ts';

/** What is taken of a client's metadata (RFC 7591); the rest is ignored. */

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const CLOSED_SCHEMES = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'filesystem:'];

/** https, this machine, or an app's own scheme. */
function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'http:') return LOOPBACK.includes(url.hostname);
  return !CLOSED_SCHEMES.includes(url.protocol);
}

const shape = z.object({
  client_name: z.string().optional(),
  redirect_uris: z
    .array(z.string().max(2000).refine(isRedirect, 'must be https, this machine, or the scheme of an app, without a fragment'))
    .min(1)
    .max(20),
});

const NAME_MAX = 200;

function common({ client_name, redirect_uris }: z.infer<typeof shape>): Payload {
  const isNative = redirect_uris.some((uri) => !uri.toLowerCase().startsWith('https:'));
  return {
    ...(client_name === undefined || client_name.trim() === '' ? {} : { client_name: client_name.slice(0, NAME_MAX) }),
    redirect_uris,
    // Of the addresses of apps on the client's own machine, the port may differ (RFC 8252, 7.3).
    application_type: isNative ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

export const clientMetadata = {
  /** Of a client that registers itself, which proves nothing: it is always public. */
  registered: shape.transform((given): Payload => ({ ...common(given), token_endpoint_auth_method: 'none' })),
  /** Of a document at the client's own host. */
  vouched: shape.extend({ token_endpoint_auth_method: z.string().default('none'), jwks_uri: z.url().optional() }).transform(
    (given): Payload => ({
      ...common(given),
      token_endpoint_auth_method: given.token_endpoint_auth_method,
      ...(given.jwks_uri !== undefined && { jwks_uri: given.jwks_uri }),
    }),
  ),
};

/** Registers a client that has no metadata document (RFC 7591). Clients of 2025 know no other way. */
export async function registerClient(records: Records, body: unknown): Promise<Payload> {
  const parsed = clientMetadata.registered.safeParse(body);
  if (!parsed.success) return { error: 'invalid_client_metadata', error_description: z.prettifyError(parsed.error) };
  if (await records.isFull()) throw new Refusal('busy', 'Too many clients have registered today; try again tomorrow.');
  const client = { ...parsed.data, client_id: randomUUID() };
  await records.save(CLIENT, client.client_id, client, undefined);
  return { ...client, client_id_issued_at: Math.floor(Date.now() / 1000) };
}
