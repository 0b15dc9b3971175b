import { type ErrorCode, errorCodes, type Problem } from '../../contract/errors.ts';
import { Refusal } from '../problem.ts';

/** The body of a refusal (decisions.md ER1); one single error gives its code to the whole (1.11). */
export function problemOf(refusal: Refusal, instance: string, requestId: string): Problem {
  const code = refusal.errors.length > 1 ? 'validation_failed' : refusal.code;
  const [status, title] = errorCodes[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail: refusal.message,
    instance,
    request_id: requestId,
    ...(refusal.errors.length > 0 ? { errors: [...refusal.errors] } : {}),
    ...refusal.extra,
  };
}

export function statusOf(code: ErrorCode): number {
  return errorCodes[code][0];
}

/** SQLite stayed locked past its time-out, or PostgreSQL cannot be reached just now. */
const BUSY = new Set([
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  '55P03',
  '57P01',
  '57P03',
  '53300',
  '40001',
  '40P01',
  'ECONNREFUSED',
  'ECONNRESET',
]);

/** Whatever was thrown, as a refusal: ours as it is, a busy database as 503, all else as 500 without a word of why. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && isPassing(error)) {
    return new Refusal('busy', 'The database is busy; try again in a moment.', { cause: error });
  }
  return new Refusal('internal', 'Something went wrong on our side; the request id names the entry in the log.', { cause: error });
}

function isPassing(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code === null ? LOST_CONNECTION.test(error.message) : BUSY.has(code) || lacksIndex(error);
}

/** What pg says, without a code, of a connection that ended under a query or before it. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/;

/** A bulk load beside the running server has set SQLite's indexes aside, and makes them again at its end. */
function lacksIndex({ message }: Error): boolean {
  return message.startsWith('no such index: ');
}
