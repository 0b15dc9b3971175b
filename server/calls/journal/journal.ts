import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isWrite } from '../../../contract/endpoint.ts';
import type { At, Db } from '../../db/open.ts';
import { unpacked } from '../../values/packed-text.ts';
import type { TaskActor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Call } from '../call.ts';
import type { StoredAnswer } from '../keys/idempotency.ts';
import { fenced, holdClaim } from './claims.ts';
import { addBytes, insertCall, type KeptAnswer, markAsked, selectCall, selectUnasked } from './journal-store.ts';

/** Larger answers are stored compressed (spec JO4). */
const COMPRESS_BYTES = 64 * 1024;
const EPOCH_MAX_BYTES = 256 * 1024 * 1024;
/** Approximate size of a row besides its texts. */
const ROW_BYTES = 200;
/** Small rows are added to the epoch's size together, once they have so many bytes; this saves a statement for each row. */
const COUNT_BYTES = 64 * 1024;
const UNCOUNTED_MAX = 10_000;
/** Bytes of small rows that this process has not counted yet, keyed by lineage and epoch. If the process dies they are never counted. */
const uncounted = new Map<string, number>();

const compress = promisify(gzip);

export type CallKey = { epoch: number; key: string };
export type JournalledCall = { method: string; path: string; body: string | null; isWrite: boolean };
export type JournalledAnswer = StoredAnswer & { at: string };

/** The parts of a call that the journal and the plan of a dry run store. */
export function journalledCall({ endpoint, target, body }: Call): JournalledCall {
  return {
    method: endpoint.method,
    path: target,
    body: body.raw.length > 0 ? body.raw.toString() : null,
    isWrite: isWrite(endpoint),
  };
}

/** Parses `<epoch>/<fingerprint>/<occurrence>`, the key that the runner makes for each call (spec JO3). */
export function parseCallKey(key: string | undefined): CallKey {
  const match = /^(\d{1,9})\/([0-9a-f]{64}\/\d{1,9})$/.exec(key ?? '');
  if (!match)
    throw new Refusal(
      'malformed_header',
      'A call with the token of a run needs the header Idempotency-Key: "<epoch>/<fingerprint>/<occurrence>".',
    );
  return { epoch: Number(match[1]), key: match[2] ?? '' };
}

/** The stored answer of this call, or undefined if the call has to be carried out. */
export async function findCall({ db, dialect }: At, actor: TaskActor, call: CallKey): Promise<JournalledAnswer | undefined> {
  if (!dialect.oneWriter) {
    await holdClaim(db, actor, false);
    await dialect.lockName(db, `${actor.lineageId}/${call.epoch}/${call.key}`);
  }
  const passingKey = passingKeyOf(call, actor);
  const [row] = await selectCall(db, { claimId: actor.claimId, lineageId: actor.lineageId, ...call, passingKey });
  if (row?.ended !== null) throw fenced();
  if (row.epoch !== call.epoch) throw new Refusal('run_fenced', `The run is in epoch ${row.epoch}; this call names ${call.epoch}.`);
  if (row.status === null) return undefined;
  if (row.asked_by_claim_id !== actor.claimId) await markAsked(db, { lineageId: actor.lineageId, ...call }, actor.claimId);
  return answerOfRow({ ...row, status: row.status });
}

/** The key of an answer that only this attempt gets, whose call a later attempt makes anew. It begins with the key of the call. */
function passingKeyOf({ key }: CallKey, { claimId }: TaskActor): string {
  return `${key}/${claimId}`;
}

export async function answerOfRow({ status, etag, location, answer, answer_gzip, at }: KeptAnswer): Promise<JournalledAnswer> {
  const headers: Record<string, string> = {};
  if (etag !== null) headers['ETag'] = etag;
  if (location !== null) headers['Location'] = location;
  return { status, headers, body: await unpacked(answer, answer_gzip), at };
}

/**
 * Refuses if an earlier attempt made a write with the same method and path that this attempt has not asked for: the resumed script behaves
 * differently.
 */
export async function refuseMismatch(db: Db, actor: TaskActor, call: CallKey, request: JournalledCall): Promise<void> {
  const earlier = await selectUnasked(db, actor, call.epoch, request);
  if (earlier) throw mismatch(request, earlier.body);
}

export function mismatch({ method, path, body }: JournalledCall, earlierBody: string | null): Refusal {
  return new Refusal(
    'resume_mismatch',
    `An earlier attempt made ${method} ${path} with another body since the last checkpoint; nothing was written.`,
    { extra: { earlier: { method, path, body: earlierBody }, now: { method, path, body } } },
  );
}

/**
 * Stores the answer in the transaction of the effect. `sent`: it refuses a request that had left the house. `passing`: it refuses a call that a
 * later attempt makes anew.
 */
export async function keepCall(
  db: Db,
  actor: TaskActor,
  call: CallKey,
  request: JournalledCall,
  answer: JournalledAnswer & { sent?: boolean; passing?: boolean },
): Promise<void> {
  const size = answer.body === null ? 0 : Buffer.byteLength(answer.body);
  const packed = answer.body !== null && size > COMPRESS_BYTES ? await compress(answer.body) : null;
  const asked = request.isWrite && request.body !== null ? Buffer.byteLength(request.body) : 0;
  await countRow(db, actor, call, ROW_BYTES + request.path.length + (packed?.length ?? size) + asked);
  await insertCall(db, {
    lineage_id: actor.lineageId,
    epoch: call.epoch,
    key: answer.passing ? passingKeyOf(call, actor) : call.key,
    claim_id: actor.claimId,
    asked_by_claim_id: actor.claimId,
    is_write: request.isWrite ? 1 : 0,
    method: request.method,
    path: request.path,
    body: request.isWrite ? request.body : null,
    status: answer.status,
    etag: answer.headers['ETag'] ?? null,
    location: answer.headers['Location'] ?? null,
    answer: packed === null ? answer.body : null,
    answer_gzip: packed,
    at: answer.at,
    sent: answer.sent ? 1 : 0,
    passing: answer.passing ? 1 : 0,
  });
}

async function countRow(db: Db, { lineageId }: TaskActor, { epoch }: CallKey, rowBytes: number): Promise<void> {
  const place = `${lineageId}/${epoch}`;
  const bytes = (uncounted.get(place) ?? 0) + rowBytes;
  if (bytes < COUNT_BYTES) {
    if (uncounted.size > UNCOUNTED_MAX) uncounted.clear();
    uncounted.set(place, bytes);
    return;
  }
  uncounted.delete(place);
  if ((await addBytes(db, lineageId, bytes)) > EPOCH_MAX_BYTES) {
    throw new Refusal('journal_full', `The calls stored since the last checkpoint exceed ${EPOCH_MAX_BYTES} bytes; checkpoint more often.`);
  }
}
