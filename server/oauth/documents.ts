import type { Outgoing } from '../providers/http/send.ts';
import { clientMetadata } from '../resources/oauth/clients.ts';
import { hostOf } from '../resources/oauth/rules.ts';

/** Metadata documents of clients, whose address is the client's id. */

const WITHIN_MS = 5000;
const MAX_BYTES = 16_384;

/** Fetches a document of a client over https, from no private address, and without following redirects. */
export async function fetchDocument(outgoing: Outgoing, url: string, given: AbortSignal): Promise<Response> {
  const { protocol, origin, pathname, search } = new URL(url);
  if (protocol !== 'https:') throw new Error('documents of clients are fetched over https alone');
  const signal = AbortSignal.any([given, AbortSignal.timeout(WITHIN_MS)]);
  const request = { method: 'GET', origin, target: `${pathname}${search}`, headers: { accept: 'application/json' }, body: null };
  const { status, headers, body } = await outgoing.send({ ...request, answerMaxBytes: MAX_BYTES }, signal);
  if (status !== 200) return new Response(null, { status: status >= 200 && status <= 599 ? status : 502 });
  const { 'cache-control': control = '' } = headers;
  return new Response(cleaned(body), { headers: { 'cache-control': control } });
}

/** Of a client's metadata, what is used of it; anything else as it is. */
function cleaned(body: Buffer): string {
  const text = body.toString('utf8');
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || !('client_id' in document)) return text;
  return JSON.stringify({ ...clientMetadata.vouched.parse(document), client_id: document.client_id });
}

/** The host of a client whose id is the address of its document; null: the client registered itself. */
export function hostOfClient(clientId: string): string | null {
  return clientId.startsWith('https://') && URL.canParse(clientId) ? hostOf(clientId) : null;
}
