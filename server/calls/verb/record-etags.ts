import { hash } from 'node:crypto';
import { type Endpoint, isBelowOrder } from '../../../contract/endpoint.ts';
import type { Db } from '../../db/open.ts';
import type { Actor, Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Answered, RecordFinders, VersionedRecord } from '../../verbs/record-versions.ts';
import type { Params } from '../../verbs/route.ts';

/** `"order-12-3"`: type, id (absent for a kind with only one record) and row version (spec ET1). */
function etagOf(record: string, params: Params, version: number | string): string {
  const ids = idsOf(params);
  const [type, id] = isBelowOrder({ record }) ? ['order', ids[0]] : [record.replaceAll('_', '-'), ids.at(-1)];
  return `"${[type, ...(id === undefined ? [] : [id]), version].join('-')}"`;
}

function idsOf(params: Params): number[] {
  return Object.values(params).filter((value) => typeof value === 'number');
}

/** Path ids must be positive safe integers; any other id names a record that does not exist (spec R3). */
export function checkIds(params: Params): void {
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number' && (!Number.isSafeInteger(value) || value <= 0)) {
      throw new Refusal('not_found', `There is no record with the ${name} ${value}.`);
    }
  }
}

/** What a path names, and who asks for it. */
type Place = { endpoint: Endpoint; params: Params; actor: Actor };

/**
 * The ETag of the record in the path, without the digest of derived fields; 404 if the record does not exist (spec R3), or not for
 * this actor.
 */
export async function findRecord(versions: RecordFinders, db: Db, { endpoint, params, actor }: Place): Promise<string | null> {
  if (!endpoint.record) return null;
  const version = await finderOf(versions, endpoint.record).version(db, params, actor);
  if (version === null) throw new Refusal('not_found', `There is no ${endpoint.record.replaceAll('_', ' ')} at this path.`);
  return etagOf(endpoint.record, params, version);
}

/** The full ETag of the record in the path after a write; for a record below an order, the ETag of the order. */
export async function currentEtag(
  versions: RecordFinders,
  ctx: Ctx,
  { record }: Pick<Endpoint, 'record'>,
  params: Params,
): Promise<string | null> {
  if (!record) return null;
  // The order is looked up by itself, because a deleted payment or shipment is gone while its order still exists.
  const [orderId = 0] = idsOf(params);
  const [name, place]: [string, Params] = isBelowOrder({ record }) ? ['order', { id: orderId }] : [record, params];
  const version = await finderOf(versions, name).version(ctx.db, place, ctx.actor);
  if (version === null) return null;
  return wholeEtag(versions, ctx, { record: name, params: place, etag: etagOf(name, place, version), answers: 'write' });
}

type Known = { record: string; params: Params; etag: string; answers: Answered };

/** The ETag with the digest of derived fields appended, if the record has any. */
export async function wholeEtag(versions: RecordFinders, ctx: Ctx, { record, params, etag, answers }: Known): Promise<string> {
  const derived = await finderOf(versions, record).derived(ctx, params, answers);
  return derived === undefined ? etag : `${etag.slice(0, -1)}.${digestOf(derived)}"`;
}

/** 96 bits are enough to rule out accidental collisions. */
function digestOf(derived: unknown): string {
  return hash('sha256', JSON.stringify(derived), 'base64url').slice(0, 16);
}

function finderOf(versions: RecordFinders, record: string): VersionedRecord {
  const find = versions[record];
  if (!find) throw new Error(`no finder for records of type ${record}`);
  return typeof find === 'function' ? { version: find, derived: async () => undefined } : find;
}

/**
 * Refuses with 412 unless If-Match names the current version or is `*` (RFC 9110). Digests of derived fields are ignored on both sides, so
 * that an edit never fails because of a change to another record. `current` gives the ETag that the refusal shows.
 */
export async function checkIfMatch(header: string | undefined, etag: string | null, current: () => Promise<string | null>): Promise<void> {
  if (header === undefined || etag === null || header.trim() === '*') return;
  if (header.split(',').some((one) => one.trim().replace(/\.[^."]*"$/, '"') === etag)) return;
  const now = await current();
  throw new Refusal('precondition_failed', `The record has changed: its ETag is now ${now}.`, { extra: { current_etag: now } });
}

/** Whether If-None-Match names the full ETag. */
export function matchesNone(header: string | undefined, etag: string | null): boolean {
  if (header === undefined || etag === null) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
