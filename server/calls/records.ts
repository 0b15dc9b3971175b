import { hash } from 'node:crypto';
import { type Endpoint, isBelowOrder } from '../../contract/endpoint.ts';
import type { Db } from '../db/open.ts';
import type { Ctx } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Answered, RecordFinders, VersionedRecord } from '../verbs/record-versions.ts';
import type { Params } from '../verbs/route.ts';

/** `"order-12-3"`: type, id (none where there is but one) and row version (decisions.md §2, Concurrency). */
function etagOf(record: string, params: Params, version: number | string): string {
  const ids = idsOf(params);
  const [type, id] = isBelowOrder({ record }) ? ['order', ids[0]] : [record.replaceAll('_', '-'), ids.at(-1)];
  return `"${[type, ...(id === undefined ? [] : [id]), version].join('-')}"`;
}

function idsOf(params: Params): number[] {
  return Object.values(params).filter((value) => typeof value === 'number');
}

/** The ETag of the record in the path, without what is derived; 404 where there is none (decisions.md R3). */
export async function findRecord(versions: RecordFinders, db: Db, endpoint: Endpoint, params: Params): Promise<string | null> {
  if (!endpoint.record) return null;
  const version = await finderOf(versions, endpoint.record).version(db, params);
  if (version === null) throw new Refusal('not_found', `There is no ${endpoint.record.replaceAll('_', ' ')} at this path.`);
  return etagOf(endpoint.record, params, version);
}

/** The whole ETag of the record in the path as a write left it; of what is below an order, the order's. */
export async function currentEtag(
  versions: RecordFinders,
  ctx: Ctx,
  { record }: Pick<Endpoint, 'record'>,
  params: Params,
): Promise<string | null> {
  if (!record) return null;
  // The order of a record that was just deleted is still there.
  const [orderId = 0] = idsOf(params);
  const [name, place]: [string, Params] = isBelowOrder({ record }) ? ['order', { id: orderId }] : [record, params];
  const version = await finderOf(versions, name).version(ctx.db, place);
  if (version === null) return null;
  return wholeEtag(versions, ctx, { record: name, params: place, etag: etagOf(name, place, version), answers: 'write' });
}

type Known = { record: string; params: Params; etag: string; answers: Answered };

/** With the digest of what is derived, where something is. */
export async function wholeEtag(versions: RecordFinders, ctx: Ctx, { record, params, etag, answers }: Known): Promise<string> {
  const derived = await finderOf(versions, record).derived(ctx, params, answers);
  return derived === undefined ? etag : `${etag.slice(0, -1)}.${digestOf(derived)}"`;
}

/** 96 bits: nobody meets two alike. */
function digestOf(derived: unknown): string {
  return hash('sha256', JSON.stringify(derived), 'base64url').slice(0, 16);
}

function finderOf(versions: RecordFinders, record: string): VersionedRecord {
  const find = versions[record];
  if (!find) throw new Error(`no finder for records of type ${record}`);
  return typeof find === 'function' ? { version: find, derived: async () => undefined } : find;
}

/**
 * 412 unless If-Match names the current version; `*` stands for any (RFC 9110). `etag` has nothing derived, and what is derived
 * in the header counts for nothing: nobody's edit fails for what another record did. `current`: what the refusal shows.
 */
export async function checkIfMatch(header: string | undefined, etag: string | null, current: () => Promise<string | null>): Promise<void> {
  if (header === undefined || etag === null || header.trim() === '*') return;
  if (header.split(',').some((one) => one.trim().replace(/\.[^."]*"$/, '"') === etag)) return;
  const now = await current();
  throw new Refusal('precondition_failed', `The record is at ${now} now.`, { extra: { current_etag: now } });
}

/** Whether If-None-Match names the whole ETag. */
export function matchesNone(header: string | undefined, etag: string | null): boolean {
  if (header === undefined || etag === null) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
