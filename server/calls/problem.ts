import { type ErrorCode, errorCodes, type Problem } from '../../contract/errors.ts';
import { isDiskFull, isTemporaryFault } from '../db/faults.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Answer, Call } from './call.ts';

/** The body of a refusal (spec ER1). If there is only one error item, its code becomes the code of the whole body (spec ER2). */
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

/** The answer to a refused call. */
export function answerOfRefusal({ target, requestId }: Pick<Call, 'target' | 'requestId'>, refusal: Refusal): Answer {
  const problem = problemOf(refusal, `/admin/api${target}`, requestId);
  return { status: problem.status, headers: {}, body: JSON.stringify(problem), replayed: false, at: new Date().toISOString(), after: [] };
}

export function statusOf(code: ErrorCode): number {
  return errorCodes[code][0];
}

/**
 * Turns anything thrown into a refusal: a Refusal stays as it is, a busy database or a full disk becomes 503, everything else a 500 that
 * reveals no cause.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && isTemporaryFault(error)) {
    return new Refusal('busy', 'The database is busy; try again in a moment.', { cause: error });
  }
  if (isDiskFull(error)) return new Refusal('busy', 'The disk of the server is full; try again when there is room.', { cause: error });
  return new Refusal('internal', 'An internal error occurred; the server log has its cause under this request id.', { cause: error });
}
