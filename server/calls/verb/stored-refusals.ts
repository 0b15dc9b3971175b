import { isWrite } from '../../../contract/endpoint.ts';
import { savepoint } from '../../db/queries/savepoint.ts';
import type { Refusal } from '../../verbs/problem.ts';
import type { Answer, Call, Executor, InTransaction } from '../call.ts';
import { answerOfRefusal, statusOf, toRefusal } from '../problem.ts';
import { carryOut } from './execution.ts';

/** A refused write is rolled back to a savepoint. The refusal becomes the answer, so that a resumed script gets the same one. */
export async function answerOrRefusal(executor: Executor, call: InTransaction): Promise<Answer> {
  try {
    return await (isWrite(call.endpoint) ? savepoint(call.db, () => carryOut(executor, call)) : carryOut(executor, call));
  } catch (error) {
    const refused = refusedAnswer(call, error);
    if (!refused) throw error;
    return refused;
  }
}

/** The stored answer for a refusal; null for failures and for refusals that may be different a moment later. */
export function refusedAnswer(call: Call, error: unknown): Answer | null {
  const refusal = toRefusal(error);
  return isUntold(refusal) || isPassing(refusal) ? null : answerOfRefusal(call, refusal);
}

/** Whether the script is told of a refusal that may be different a moment later: then only this attempt and a replay get it again. */
export function isPassing({ code }: Refusal): boolean {
  const status = statusOf(code);
  return (status >= 500 && status !== 503) || code === 'daily_mail_limit_reached';
}

/** Whether the runner makes the call again, or the run ends; the script is not told of such a refusal. */
function isUntold({ code }: Refusal): boolean {
  const status = statusOf(code);
  return status === 503 || status === 401 || status === 429;
}
