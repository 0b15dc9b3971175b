import assert from 'node:assert/strict';
import { ApiError } from '../../contract/calls.ts';

/** Returns the refusal that the call gets; fails if the call succeeds or gets another refusal. */
export async function refused(call: Promise<unknown>, status: number, code: string): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail(`expected ${status} ${code}, but the call succeeded`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  assert.deepEqual([error.status, error.code], [status, code], error.message);
  return error;
}
