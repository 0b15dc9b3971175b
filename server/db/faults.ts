/** What the engines say of a statement that may succeed when it is tried again. */
const BUSY = new Set([
  // SQLite stayed locked past its time-out.
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  // PostgreSQL: a lock was not to be had, the server stops or starts, has no connection left, or undid the transaction for another.
  '55P03',
  '57P01',
  '57P03',
  '53300',
  '40001',
  '40P01',
  'ECONNREFUSED',
  'ECONNRESET',
]);
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether an error of the store passes: the same request may succeed in a moment. */
export function isPassing(error: Error): boolean {
  const code = codeOf(error);
  return code === null ? LOST_CONNECTION.test(error.message) : BUSY.has(code) || lacksIndex(error);
}

/** Whether a lock was not to be had in the time that a request waits for one. */
export function isLockNotAvailable(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === LOCK_NOT_AVAILABLE;
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** What pg says, without a code, of a connection that ended under a query or before it. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/;

/** A bulk load beside the running server has set SQLite's indexes aside, and makes them again at its end. */
function lacksIndex({ message }: Error): boolean {
  return message.startsWith('no such index: ');
}
