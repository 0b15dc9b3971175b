import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Actor } from '../context.ts';
import type { Dialect } from '../db/dialect.ts';
import type { Db } from '../db/open.ts';
import { Refusal } from '../problem.ts';
import type { StoredAnswer } from './idempotency.ts';

type TaskActor = Extract<Actor, { type: 'task' }>;

/** Answers larger than this are kept compressed (automation.md §5). */
const COMPRESS_BYTES = 64 * 1024;
/** Answers from this size on are counted against the epoch's 256 MiB; smaller ones cannot reach it within the budget of calls. */
const COUNT_BYTES = 4 * 1024;
const EPOCH_MAX_BYTES = 256 * 1024 * 1024;

const compress = promisify(gzip);
const expand = promisify(gunzip);

export type CallKey = { epoch: number; key: string };
export type JournalledCall = { method: string; path: string; body: string | null; isWrite: boolean };
export type JournalledAnswer = StoredAnswer & { at: string };

/** `<epoch>/<fingerprint>/<occurrence>`, as the runner makes it (automation.md §5). */
export function parseCallKey(key: string | undefined): CallKey {
  const match = /^(\d{1,9})\/([0-9a-f]{64}\/\d{1,9})$/.exec(key ?? '');
  if (!match) throw new Refusal('malformed_header', 'A call of a run carries Idempotency-Key: "<epoch>/<fingerprint>/<occurrence>".');
  return { epoch: Number(match[1]), key: match[2] ?? '' };
}

export function fenced(): Refusal {
  return new Refusal('run_fenced', 'The claim of this token has ended: the run was cancelled, taken over or finished.');
}

/**
 * Locks the claim and checks that it is still in force: cancel, takeover, lapse and revoke change the same row, so
 * nothing of an attempt commits after the next has begun (automation.md §5, Fencing inside).
 */
export async function holdClaim(db: Db, dialect: Dialect, actor: TaskActor, forChange: boolean): Promise<{ epoch: number; reported: boolean }> {
  const lock = forChange ? dialect.forUpdate : dialect.forShare;
  const claim = await sql<{ ended_at: string | null }>`SELECT ended_at FROM run_claims WHERE id = ${actor.claimId} ${lock}`.execute(db);
  if (claim.rows[0]?.ended_at !== null) throw fenced();
  const { rows } = await sql<{ epoch: number; reported: number }>`
    SELECT l.epoch, r.reported FROM lineages l JOIN runs r ON r.lineage_id = l.id WHERE r.id = ${actor.runId}`.execute(db);
  const [state] = rows;
  if (!state) throw fenced();
  return { epoch: state.epoch, reported: state.reported === 1 };
}

/** The noted answer of this call, or undefined where it runs live; a write that another attempt made otherwise is refused. */
export async function findCall(db: Db, dialect: Dialect, actor: TaskActor, call: CallKey, request: JournalledCall): Promise<JournalledAnswer | undefined> {
  const { epoch, reported } = await holdClaim(db, dialect, actor, false);
  if (epoch !== call.epoch) throw new Refusal('run_fenced', `The run is in epoch ${epoch}; this call names ${call.epoch}.`);
  if (!reported) await sql`UPDATE runs SET reported = 1 WHERE id = ${actor.runId}`.execute(db);
  await dialect.lockName(db, `${actor.lineageId}/${call.epoch}/${call.key}`);
  const row = await db
    .selectFrom('journal')
    .select(['status', 'etag', 'location', 'answer', 'answer_gzip', 'at', 'is_write', 'asked_by_claim_id'])
    .where('lineage_id', '=', actor.lineageId)
    .where('epoch', '=', call.epoch)
    .where('key', '=', call.key)
    .executeTakeFirst();
  if (!row) {
    if (request.isWrite) await refuseMismatch(db, actor, call, request);
    return undefined;
  }
  if (row.is_write === 1 && row.asked_by_claim_id !== actor.claimId) await markAsked(db, actor, call);
  const headers: Record<string, string> = {};
  if (row.etag !== null) headers['ETag'] = row.etag;
  if (row.location !== null) headers['Location'] = row.location;
  const body = row.answer_gzip === null ? row.answer : (await expand(row.answer_gzip)).toString();
  return { status: row.status, headers, body, at: row.at };
}

async function markAsked(db: Db, actor: TaskActor, call: CallKey): Promise<void> {
  await db
    .updateTable('journal')
    .set({ asked_by_claim_id: actor.claimId })
    .where('lineage_id', '=', actor.lineageId)
    .where('epoch', '=', call.epoch)
    .where('key', '=', call.key)
    .execute();
}

/** A write of an earlier attempt that this one has not asked for, with the same method and path: the script took another way. */
async function refuseMismatch(db: Db, actor: TaskActor, call: CallKey, request: JournalledCall): Promise<void> {
  const { rows } = await sql<{ body: string | null }>`
    SELECT body FROM journal
    WHERE lineage_id = ${actor.lineageId} AND epoch = ${call.epoch} AND is_write = 1
      AND method = ${request.method} AND path = ${request.path} AND asked_by_claim_id <> ${actor.claimId}
      AND status < 400
    LIMIT 1`.execute(db);
  const [earlier] = rows;
  if (!earlier) return;
  throw new Refusal(
    'resume_mismatch',
    `An earlier attempt made ${request.method} ${request.path} with another body since the last checkpoint; nothing was written.`,
    { extra: { earlier: { method: request.method, path: request.path, body: earlier.body }, now: { method: request.method, path: request.path, body: request.body } } },
  );
}

/** Notes the answer in the transaction of the effect. */
export async function keepCall(db: Db, actor: TaskActor, call: CallKey, request: JournalledCall, answer: JournalledAnswer): Promise<void> {
  const size = answer.body === null ? 0 : Buffer.byteLength(answer.body);
  const packed = answer.body !== null && size > COMPRESS_BYTES ? await compress(answer.body) : null;
  if (size >= COUNT_BYTES) await countBytes(db, actor, packed?.length ?? size);
  await db
    .insertInto('journal')
    .values({
      lineage_id: actor.lineageId,
      epoch: call.epoch,
      key: call.key,
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
    })
    .execute();
}

async function countBytes(db: Db, actor: TaskActor, bytes: number): Promise<void> {
  const { rows } = await sql<{ journal_bytes: number }>`
    UPDATE lineages SET journal_bytes = journal_bytes + ${bytes} WHERE id = ${actor.lineageId} RETURNING journal_bytes`.execute(db);
  if ((rows[0]?.journal_bytes ?? 0) > EPOCH_MAX_BYTES) {
    throw new Refusal('journal_full', `The answers noted since the last checkpoint exceed ${EPOCH_MAX_BYTES} bytes; checkpoint more often.`);
  }
}
