import type { Endpoint, RecordName } from '../../contract/endpoint.ts';
import type { Db } from '../db/open.ts';
import { Refusal } from '../problem.ts';
import type { RecordVersions } from '../record-versions.ts';
import type { Params } from './route.ts';

/** Records that have no version of their own: a write to them carries, and asks for, that of their order (decisions.md 1.11). */
const belowOrder = new Set<RecordName>(['payment', 'shipment', 'locker_network']);

export function isBelowOrder({ record }: Endpoint): boolean {
  return record !== undefined && belowOrder.has(record);
}

/** `"order-12-3"`: type, id (none where there is but one) and row version (decisions.md §2, Concurrency). */
export function etagOf(record: RecordName, params: Params, version: number): string {
  const ids = idsOf(params);
  const [type, id] = belowOrder.has(record) ? ['order', ids[0]] : [record.replaceAll('_', '-'), ids.at(-1)];
  return `"${[type, ...(id === undefined ? [] : [id]), version].join('-')}"`;
}

function idsOf(params: Params): number[] {
  return Object.values(params).filter((value) => typeof value === 'number');
}

/** The ETag of the record in the path; 404 where there is none (decisions.md R3). */
export async function findRecord(versions: RecordVersions, db: Db, endpoint: Endpoint, params: Params): Promise<string | null> {
  if (!endpoint.record) return null;
  const version = await versionOf(versions, db, endpoint.record, params);
  if (version === null) throw new Refusal('not_found', `There is no ${endpoint.record.replaceAll('_', ' ')} at this path.`);
  return etagOf(endpoint.record, params, version);
}

export async function currentEtag(versions: RecordVersions, db: Db, endpoint: Endpoint, params: Params): Promise<string | null> {
  if (!endpoint.record) return null;
  // The order of a record that was just deleted is still there.
  const [orderId = 0] = idsOf(params);
  const version = isBelowOrder(endpoint)
    ? await versionOf(versions, db, 'order', { id: orderId })
    : await versionOf(versions, db, endpoint.record, params);
  return version === null ? null : etagOf(endpoint.record, params, version);
}

async function versionOf(versions: RecordVersions, db: Db, record: RecordName, params: Params): Promise<number | null> {
  const find = versions[record];
  if (!find) throw new Error(`no finder for records of type ${record}`);
  return find(db, params);
}

/** 412 unless If-Match names the current version; `*` stands for any (RFC 9110). */
export function checkIfMatch(header: string | undefined, etag: string | null): void {
  if (header === undefined || etag === null || header.trim() === '*') return;
  if (!header.split(',').some((one) => one.trim() === etag)) {
    throw new Refusal('precondition_failed', `The record is at ${etag} now.`, { extra: { current_etag: etag } });
  }
}

export function matchesNone(header: string | undefined, etag: string | null): boolean {
  if (header === undefined || etag === null) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
