import type { Endpoint } from '../../contract/endpoint.ts';
import { isObject, type Json } from '../torture/bad-input/samples.ts';
import { Fault } from './fault.ts';
import { type Keyed, versionOf } from './memory.ts';
import type { Answer } from './session.ts';
import { isSame } from './sketch.ts';

/** What is true of what a call did, for every endpoint alike. */

/** A record as a read shows it. */
export type Looked = { etag: string; body: Json };

/** Deletions after which the record can still be read; their summaries say so. */
const KEPT = new Set(['ai_tasks.delete', 'products.delete', 'customers.delete', 'preferences.reset']);

export function checkDeleted(endpoint: Endpoint, found: Answer): void {
  if (found.status === 404 || (found.status === 200 && KEPT.has(endpoint.id))) return;
  throw new Fault(`${endpoint.id}: ${found.status} for a record that was deleted`);
}

/** Fields that a record shows in another form than they are sent in, or that the server decides on together with others. */
const SHOWN_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  // An owner has all permissions.
  'admins.create': ['permissions'],
  'admins.update': ['permissions'],
  // The lines have names and prices too.
  'orders.create': ['items'],
  'orders.edit': ['items'],
  // These are merged with what is stored, and have secrets that are never shown.
  'settings.update': ['courier', 'smtp', 'llm', 'assistant'],
  // The first rate is the default.
  'tax_rates.create': ['is_default'],
};
/** Lists that are sets: they are shown in an order of their own. */
const SETS = new Set(['events', 'permissions']);

/** What was sent is shown: each field of the body that the record has too has the value that was sent. */
export function checkShown(endpoint: Endpoint, given: Json, shown: Json): void {
  const except = SHOWN_OTHERWISE[endpoint.id] ?? [];
  for (const [name, value, now] of commonOf(given, shown)) {
    if (except.includes(name) || isShownAs(name, value, now)) continue;
    throw new Fault(`${endpoint.id}: ${name} was sent as ${JSON.stringify(value)} and is shown as ${JSON.stringify(now)}`);
  }
}

function isShownAs(name: string, sent: Json, now: Json): boolean {
  // A text that is null is cleared, and some texts then show as empty.
  if (isSame(sent, now) || (sent === null && now === '')) return true;
  // Versions show some of their lists as JSON texts.
  if (typeof sent === 'object' && typeof now === 'string') return isSame(sent, JSON.parse(now));
  return SETS.has(name) && Array.isArray(sent) && Array.isArray(now) && isSame(sorted(sent), sorted(now));
}

function sorted(list: readonly Json[]): Json[] {
  return list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

type Change = { before: Looked; after: Looked; answer: Answer; given: Json; isOwn: boolean };

/**
 * The row version of a record changes with each change of it, and only then. `isOwn`: the write is to the record itself and not to
 * something below it.
 */
export function checkVersion(endpoint: Endpoint, { before, after, answer, given, isOwn }: Change): void {
  const isRaised = versionOf(before.etag) !== versionOf(after.etag);
  if (answer.status >= 400) {
    if (isRaised) throw new Fault(`${endpoint.id}: refused, but the record went from ${before.etag} to ${after.etag}`);
    return;
  }
  const returned = answer.headers['etag'];
  if (endpoint.location === undefined && returned !== undefined && versionOf(returned) !== versionOf(after.etag)) {
    throw new Fault(`${endpoint.id}: answered with ${returned}, but the record has ${after.etag}`);
  }
  if (!isOwn || endpoint.method === 'DELETE' || endpoint.method === 'POST') return;
  const changed = commonOf(given, before.body).filter(
    ([name, value, was]) => !isSame(value, was) && !isSame(partOf(after.body, name), was),
  );
  if (changed.length > 0 && !isRaised)
    throw new Fault(`${endpoint.id}: changed ${changed.map(([name]) => name)}, but the ETag is still ${after.etag}`);
  // What a record never shows, such as a secret, may have changed.
  if (!isShownWhole(given, before.body)) return;
  if (isRaised && isSame(withoutTime(before.body), withoutTime(after.body)) && answer.headers['idempotency-replayed'] === undefined) {
    throw new Fault(`${endpoint.id}: changed nothing, but the ETag went from ${before.etag} to ${after.etag}`);
  }
}

type ListChange = { before: Looked; after: Looked; listBefore: Json; listAfter: Json };

/** What has no version but its order's raises that with each change, and only then. */
export function checkListVersion(endpoint: Endpoint, { before, after, listBefore, listAfter }: ListChange): void {
  const isRaised = versionOf(before.etag) !== versionOf(after.etag);
  const isChanged = !isSame(listBefore, listAfter);
  if (isChanged && !isRaised) throw new Fault(`${endpoint.id}: changed what stands below the order, but its ETag is still ${after.etag}`);
  if (isRaised && !isChanged && isSame(withoutTime(before.body), withoutTime(after.body)))
    throw new Fault(`${endpoint.id}: changed nothing, but the ETag of the order went from ${before.etag} to ${after.etag}`);
}

/** The same request again gets the same answer; secrets that are shown once are null in it. */
export function checkRepeated({ endpoint, status, body }: Keyed, answer: Answer): void {
  if (answer.headers['idempotency-replayed'] !== 'true' || answer.status !== status) {
    throw new Fault(`${endpoint.id}: ${status} at first, and ${answer.status} for the same request under the same Idempotency-Key`);
  }
  const hidden = Object.fromEntries((endpoint.secretFields ?? []).map((name) => [name, null]));
  const expected = isObject(body) ? { ...body, ...hidden } : body;
  if (isSame(expected, answer.body)) return;
  throw new Fault(`${endpoint.id}: answered ${JSON.stringify(body)} at first, and then ${answer.text}`);
}

/** The members that both have, with both values. */
function commonOf(given: Json, shown: Json): [string, Json, Json][] {
  if (!isObject(given) || !isObject(shown)) return [];
  return Object.entries(given).flatMap(([name, value]): [string, Json, Json][] => {
    const now = Object.hasOwn(shown, name) ? shown[name] : undefined;
    return now === undefined ? [] : [[name, value, now]];
  });
}

function isShownWhole(given: Json, shown: Json): boolean {
  return !isObject(given) || (isObject(shown) && Object.keys(given).every((name) => Object.hasOwn(shown, name)));
}

function partOf(whole: Json, name: string): Json | undefined {
  return isObject(whole) ? whole[name] : undefined;
}

function withoutTime(body: Json): Json {
  if (!isObject(body)) return body;
  const { updated_at: _, ...rest } = body;
  return rest;
}
