/** Error codes of the engines for a statement that may succeed when it is tried again. */
const BUSY = new Set([
  // SQLite stayed locked for longer than its timeout.
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  // SQLite undid the transaction, because the disk was full.
  'SQLITE_ABORT_ROLLBACK',
  // PostgreSQL: a lock was not available, the server is stopping, starting, or starting again because one of its processes died, it has no
  // free connection, or it undid the transaction because of another one.
  '55P03',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '40001',
  '40P01',
  'ECONNREFUSED',
  'ECONNRESET',
]);
/** There is no room: for SQLite's files, for PostgreSQL's, or for a file of the shop. */
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100', 'ENOSPC']);
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether an error of the store is temporary: the same request may succeed in a moment. */
export function isTemporaryFault(error: Error): boolean {
  const code = codeOf(error);
  return code === null ? LOST_CONNECTION.test(error.message) : BUSY.has(code) || lacksIndex(error);
}

/** Whether there was no room on the disk of the server or of its database. The same request may succeed when there is room again. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && FULL.has(codeOf(error) ?? '');
}

/** Whether the same work may succeed later: a temporary error of the store, or a full disk. */
export function isPassing(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && isTemporaryFault(error));
}

/** Whether a lock could not be obtained in the time that a request waits for one. */
export function isLockNotAvailable(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === LOCK_NOT_AVAILABLE;
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The messages of pg, which have no code, for a connection that ended during or before a query. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/;

/** A bulk load beside the running server has removed SQLite's indexes and will create them again at its end. */
function lacksIndex({ message }: Error): boolean {
  return message.startsWith('no such index: ');
}

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);
const OTHER_CONSTRAINT = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_CONSTRAINT_CHECK', '23503', '23514']);

/** Which constraint of the schema a statement broke; null: it failed for another reason. */
export function brokenConstraint(error: unknown): 'unique' | 'other' | null {
  const code = error instanceof Error ? (codeOf(error) ?? '') : '';
  return UNIQUE.has(code) ? 'unique' : OTHER_CONSTRAINT.has(code) ? 'other' : null;
}
