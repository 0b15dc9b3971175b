import { hash } from 'node:crypto';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { isLockNotAvailable } from '../../db/faults.ts';
import type { At, Db } from '../../db/open.ts';
import type { Actor } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { Executor, InTransaction, VerbCall } from '../call.ts';
import type { Wrapper } from '../chain.ts';
import { insertAnswer, selectAnswer } from './idempotency-store.ts';

/** An answer in the form in which it is stored and sent again. */
export type StoredAnswer = { status: number; headers: Record<string, string>; body: string | null };

const MAX_KEY = 255;

/** Parses an `Idempotency-Key` header: a quoted structured string, or a bare token (spec IK1). */
export function parseKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(header);
  const key = quoted ? (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : header;
  if (key.length === 0 || key.length > MAX_KEY || (!quoted && !/^[\x21-\x7e]+$/.test(key)) || (!quoted && key.includes('"'))) {
    throw new Refusal(
      'malformed_header',
      `Idempotency-Key must be a quoted string or a token of 1 to ${MAX_KEY} visible ASCII characters.`,
    );
  }
  return key;
}

export function scopeOf(actor: Actor, method: string, path: string, key: string): string {
  const who = actor.type === 'task' ? `run ${actor.lineageId}` : actor.type === 'admin' ? `admin ${actor.adminId}` : actor.type;
  return hash('sha256', [who, method, path, key].join('\n'), 'hex');
}

export function fingerprintOf(raw: Buffer): string {
  return hash('sha256', raw, 'hex');
}

type Known = StoredAnswer & { at: string };

/**
 * The stored answer of an earlier request with this scope, or undefined if there was none. A concurrent second request waits here for the
 * first one on PostgreSQL; on SQLite it has already waited for the write lock.
 */
export async function findAnswer({ db, dialect }: At, scope: string, fingerprint: string): Promise<Known | undefined> {
  await dialect.lockName(db, scope).catch((error: unknown) => {
    throw isLockNotAvailable(error) ? inProgress(error) : error;
  });
  const [row] = await selectAnswer(db, { scope });
  if (!row) return undefined;
  if (row.fingerprint !== fingerprint) {
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for a request with another body.');
  }
  return { status: row.status, headers: parseHeaders(row.headers), body: row.body, at: row.created_at };
}

export function inProgress(cause?: unknown): Refusal {
  return new Refusal('idempotency_in_progress', 'The first request with this Idempotency-Key is still being processed.', { cause });
}

/** Whether a request with this key has been answered; a repeat's body is then compared with the first one and otherwise not used. */
export async function isAnswered(db: Db, scope: string): Promise<boolean> {
  return (await selectAnswer(db, { scope })).length > 0;
}

function parseHeaders(json: string): Record<string, string> {
  const value: unknown = JSON.parse(json);
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]));
}

export async function keepAnswer(db: Db, scope: string, fingerprint: string, answer: StoredAnswer, now: string): Promise<void> {
  const { status, headers, body } = answer;
  await insertAnswer(db, { scope, fingerprint, status, headers: JSON.stringify(headers), body, created_at: now });
}

export type KeyedCall = VerbCall & { idempotencyKey: string | undefined };

export const withIdempotencyKey: Wrapper<VerbCall, KeyedCall> = async (call, next) =>
  next({ ...call, idempotencyKey: parseKey(call.header('idempotency-key')) });

/** Stores the answer under the call's Idempotency-Key, in the transaction of the effect; a repeated call gets the stored answer. */
export function idempotency({ services }: Executor): Wrapper<InTransaction<KeyedCall>> {
  const { dialect } = services.store;
  return async (call, next) => {
    const { db, idempotencyKey, actor, endpoint } = call;
    if (idempotencyKey === undefined) return next(call);
    const scope = scopeOf(actor, endpoint.method, call.target, idempotencyKey);
    const fingerprint = fingerprintOf(call.body.raw);
    const known = await findAnswer({ db, dialect }, scope, fingerprint);
    if (known) return { ...known, replayed: true, after: [] };
    const answer = await next(call);
    await keepAnswer(db, scope, fingerprint, withoutSecrets(answer, endpoint), answer.at);
    return answer;
  };
}

/** Secrets that are shown once are not stored, since the database keeps only hashes of tokens. */
function withoutSecrets(answer: StoredAnswer, { secretFields = [] }: Endpoint): StoredAnswer {
  if (secretFields.length === 0 || answer.body === null) return answer;
  const body: unknown = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify({ ...Object(body), ...Object.fromEntries(secretFields.map((field) => [field, null])) }) };
}
