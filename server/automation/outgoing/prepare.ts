import { createHash } from 'node:crypto';
import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Grants } from '../../../contract/grants.ts';
import { HTTP_BODY_MAX_BYTES, type PlacedText } from '../../../contract/http.ts';
import { canonical, shownAddress, shownText } from '../../../contract/http-shown.ts';
import { headersOfSign, type Sign, secretsOfSign } from '../../../contract/http-signing.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { requestIdHeader } from '../../process/request-id.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { Refusal, refuseValue, refuseValues } from '../../verbs/problem.ts';
import { type Filling, openFilling, requireDeclared } from '../secrets/filling.ts';
import { type Encode, filledBytes, filledText, namesIn, type ValueFor } from '../secrets/placed-text.ts';
import { grantsOf } from '../tasks/grants.ts';
import { filledAddress, misplacesSecret } from './address.ts';
import { type Asked, headerProblems, refusalOf } from './rules.ts';
import { refusePlace, type Signer, signerOf } from './signer.ts';

/** What a request of a run becomes before it is sent: checked, and with its secrets. */

type Fetch = BodyOf<Endpoints['http.fetch']>;
type Send = BodyOf<Endpoints['http.send']>;
export type Body = Fetch | Send;
export type Prepared = { asked: Asked; grants: Grants; filling: Filling; signing: { signer: Signer; secrets: readonly string[] } | null };

export function isSend(body: Body): body is Send {
  return body.method !== 'GET' && body.method !== 'HEAD';
}

/** Refuses what the version may not send, and what cannot be sent. */
export function checkRequest(body: Body, { http_allow, secrets }: Grants): void {
  const problem = refusalOf(http_allow, body.method, shownText(body.url), shownAddress(body.url));
  if (problem !== null) throw new Refusal('http_not_allowed', `The request is not sent: ${problem}.`);
  if (misplacesSecret(body.url)) throw refuseValue('invalid_value', '/url', 'can have a secret only in its path or query');
  requireHeaders(mapped(body.headers, (text) => shownText(text)));
  if (body.sign) requireSignable(body.sign, body.headers, http_allow);
  if (isSend(body) && body.encoding === 'base64' && !isBase64(body.body ?? '')) {
    throw refuseValue('invalid_value', '/body', 'must be base64, as its encoding says');
  }
  requireDeclared(secrets, secretsOf(body));
  // The values of its secrets are not filled in yet.
  requireSize(filledBody(body, '', () => ''));
}

export async function prepare(ctx: Ctx, { actor, scope, body }: { actor: TaskActor; scope: string; body: Body }): Promise<Prepared> {
  const grants = await grantsOf(ctx.db, actor);
  checkRequest(body, grants);
  const filling = await openFilling(ctx, { taskId: actor.taskId, declared: grants.secrets }, secretsOf(body));
  const { valueFor } = filling;
  const url = canonical(filledAddress(body.url, valueFor));
  // The value of a secret must not lead to another path than the one that was approved.
  if (refusalOf(grants.http_allow, body.method, url) !== null) {
    throw new Refusal(
      'http_not_allowed',
      "The request is not sent: with its secrets, the address is one that the version's http_allow does not cover.",
    );
  }
  const problem = filling.hostProblem(secretsOf(body), url) ?? tokenHostProblem(body.sign, filling);
  if (problem !== null) throw new Refusal('secret_host_not_allowed', `The request is not sent: ${problem}.`);
  const given = mapped(body.headers, (text) => filledText(text, valueFor));
  requireHeaders(given, 'with its secret, ');
  const headers: Record<string, string> = { 'user-agent': 'Backroom', ...lowerCased(requestIdHeader()), ...lowerCased(given) };
  headers['accept-encoding'] = 'gzip, deflate, br';
  const secretHeaders = Object.keys(body.headers).filter((name) => namesIn(body.headers[name] ?? '').length > 0);
  const asked = { method: body.method, url, headers, secretHeaders: secretHeaders.map((name) => name.toLowerCase()) };
  const signing = body.sign
    ? { signer: signerOf(body.sign, valueFor, ctx.services.accessTokens), secrets: secretsOfSign(body.sign) }
    : null;
  if (!isSend(body)) return { asked: { ...asked, body: null, bodySecrets: [] }, grants, filling, signing };
  headers['idempotency-key'] = `backroom-${createHash('sha256').update(`request ${scope}`).digest('base64url')}`;
  const content = filledBody(body, headers['content-type'] ?? '', valueFor);
  requireSize(content);
  return { asked: { ...asked, body: content, bodySecrets: namesIn(body.body ?? '') }, grants, filling, signing };
}

function filledBody(body: Body, contentType: string, valueFor: ValueFor): Buffer | null {
  if (!isSend(body) || body.body === undefined) return null;
  return body.encoding === 'base64'
    ? filledBytes(body.body, valueFor)
    : Buffer.from(filledText(body.body, valueFor, encodeFor(contentType)));
}

function requireSize(content: Buffer | null): void {
  if (content === null || content.length <= HTTP_BODY_MAX_BYTES) return;
  const detail = `The body of the request has ${content.length} bytes, with its secrets; it may have at most ${HTTP_BODY_MAX_BYTES}.`;
  throw new Refusal('body_too_large', detail, { extra: { limit_bytes: HTTP_BODY_MAX_BYTES } });
}

/** A value must stay within the text that it is put into. */
function encodeFor(contentType: string): Encode | undefined {
  if (/\bjson\b/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  return /^\s*application\/x-www-form-urlencoded\b/i.test(contentType) ? encodeURIComponent : undefined;
}

function isBase64(body: PlacedText): boolean {
  const pieces = typeof body === 'string' ? [body] : body;
  return pieces.every((piece) => typeof piece !== 'string' || /^[A-Za-z0-9+/]*={0,2}$/.test(piece));
}

/** The names of all secrets that have a place in the request. */
function secretsOf(body: Body): string[] {
  const content = isSend(body) ? (body.body ?? '') : '';
  const placed = [...Object.values(body.headers), content, body.url].flatMap((text) => namesIn(text));
  return [...placed, ...(body.sign ? secretsOfSign(body.sign) : [])];
}

/** Refuses a signature whose headers the request has already, or cannot have, and one whose token the version may not get. */
function requireSignable(sign: Sign, given: Body['headers'], allow: readonly string[]): void {
  const names = headersOfSign(sign);
  const taken = Object.keys(given).find((name) => names.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  if (taken !== undefined) throw refusePlace(headerPointer(taken), `is set by the signature (${sign.scheme}) and cannot be given`);
  for (const { name, field } of names) {
    const [problem] = headerProblems({ [name]: '' });
    if (problem) throw refusePlace(`/sign/${field ?? 'scheme'}`, problem[1]);
  }
  if (sign.scheme !== 'oauth2-client-credentials') return;
  const problem = refusalOf(allow, 'POST', sign.token_url);
  if (problem !== null) throw new Refusal('http_not_allowed', `The request is not sent, as its token may not be got: ${problem}.`);
}

/** The token is got with the secrets, which go to the host of its address, too. */
function tokenHostProblem(sign: Sign | undefined, filling: Filling): string | null {
  return sign?.scheme === 'oauth2-client-credentials' ? filling.hostProblem(secretsOfSign(sign), sign.token_url) : null;
}

function requireHeaders(headers: Readonly<Record<string, string>>, condition = ''): void {
  const errors = headerProblems(headers).map(([name, detail]) => ({
    pointer: name === '' ? '/headers' : headerPointer(name),
    parameter: null,
    code: 'invalid_value',
    detail: condition + detail,
  }));
  if (errors.length > 0) throw refuseValues(errors);
}

function headerPointer(name: string): string {
  return `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function mapped<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
}
