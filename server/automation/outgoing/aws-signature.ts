import { createHash, createHmac } from 'node:crypto';

/** Signature Version 4 of AWS, in headers (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */

export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };
/** `headers`: by names in lower case. */
type Request = { method: string; url: string; headers: Readonly<Record<string, string>>; body: Buffer | null };
type Scope = { region: string; service: string; now: Date };

/** `url`: the address in the one spelling that is signed, in which it must be sent. `headers`: those that the request gets. */
export type AwsSignature = { url: string; headers: Record<string, string>; signature: string };

/** Headers that proxies change on the way, and those that the server adds for reasons of its own. */
const UNSIGNED =
  /^(?:authorization|accept-encoding|cache-control|connection|expect|from|idempotency-key|keep-alive|max-forwards|pragma|referer|te|trailer|transfer-encoding|upgrade|user-agent|x-amzn-trace-id|x-request-id|proxy-.*|sec-.*)$/;

export function awsSignature(request: Request, keys: AwsKeys, { region, service, now }: Scope): AwsSignature {
  const url = new URL(request.url);
  const path = url.pathname.split('/').map(escaped).join('/');
  const pairs = url.search.slice(1).split('&').filter(Boolean).map(pairOf);
  const isS3 = service.startsWith('s3');
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const bodyHash = sha256(request.body ?? '');
  const added = {
    'x-amz-date': time,
    ...(isS3 && { 'x-amz-content-sha256': bodyHash }),
    ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
  };
  const headers = Object.entries({ ...request.headers, ...added, host: url.host })
    .filter(([name]) => !UNSIGNED.test(name))
    .map(([name, value]): [string, string] => [name, value.trim().replace(/\s+/g, ' ')])
    .sort(byName);
  const names = headers.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    // S3 alone takes the path as it is sent; an object's name may have two slashes.
    isS3 ? path : path.replaceAll('%', '%25').replace(/\/+/g, '/'),
    queryOf(pairs.toSorted(byName)),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  const query = queryOf(pairs);
  return { url: `${url.origin}${path}${query && `?${query}`}`, headers: { ...added, authorization }, signature };
}

function queryOf(pairs: readonly [string, string][]): string {
  return pairs.map((pair) => pair.join('=')).join('&');
}

function byName([a, first]: [string, string], [b, second]: [string, string]): number {
  if (a === b) return first < second ? -1 : 1;
  return a < b ? -1 : 1;
}

function pairOf(text: string): [string, string] {
  const [name = '', ...value] = text.replaceAll('+', '%20').split('=');
  return [escaped(name), escaped(value.join('='))];
}

/** Only the unreserved characters stay as they are; what is escaped is not read, as it may be no text. */
function escaped(text: string): string {
  return text.replace(/%[0-9a-f]{2}|[^\w.~-]/gi, (one) => {
    const code = one.length === 3 ? Number.parseInt(one.slice(1), 16) : one.charCodeAt(0);
    const character = String.fromCharCode(code);
    return /[\w.~-]/.test(character) ? character : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
