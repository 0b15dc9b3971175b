import type { Logger } from 'pino';
import { RESULT_MAX_BYTES, type Said } from '../contract/run-events.ts';
import { type ClaimedRun, ClaimsAnswer } from './claimed-run.ts';
import type { Delivery, EventSender, NextAsked } from './event-sender.ts';
import { cutLine } from './log-events.ts';
import { type Cause, outcomeOf } from './outcome.ts';

/** Reports why the run ended; returns the run that the server gave in return for asking with `next`. */
export async function reportEnd(
  sender: EventSender,
  cause: Cause,
  { claim, next, logger }: { claim: ClaimedRun; next: NextAsked | null; logger: Logger },
): Promise<ClaimedRun[]> {
  const full = outcomeOf(cause, claim);
  const outcome = { ...full, error_message: full.error_message && cutLine(full.error_message) };
  const level = outcome.end_reason === 'sandbox' ? 'warn' : 'debug';
  logger[level]({ ...outcome, ...(cause.kind === 'exit' && { stderr: cause.stderr.slice(-500) }) }, 'run ended');
  const result = cause.kind === 'done' && outcome.status === 'success' ? resultText(cause.result) : 'null';
  const event = JSON.stringify({ kind: 'finalize', ...outcome });
  let delivery = await sender.deliver(`${event.slice(0, -1)},"result":${result}}`, next);
  if (delivery.kind === 'refused') {
    logger.error({ problem: delivery.problem }, 'the server refused the end of a run');
    if (result !== 'null') delivery = await sender.deliver(event, next);
  }
  return claimsIn(delivery, logger);
}

/** What a run waits for may take months. Then the run continues from its checkpoint, on this runner or another. */
export async function reportWaiting(
  sender: EventSender,
  promptIds: number[],
  { said, logger }: { said: Said; logger: Logger },
): Promise<void> {
  logger.debug('the run waits, its worker is given back');
  const delivery = await sender.deliver(JSON.stringify({ kind: 'wait', prompt_ids: promptIds, said }));
  if (delivery.kind === 'refused') logger.error({ problem: delivery.problem }, 'the server refused to let a run wait');
}

/** The result as JSON text; the text `null` when it is too large or when a hostile worker sent something that is not JSON. */
export function resultText(result: string | null): string {
  if (result === null || Buffer.byteLength(result) > RESULT_MAX_BYTES) return 'null';
  try {
    JSON.parse(result);
    return result;
  } catch {
    return 'null';
  }
}

/** Without an answer that makes sense, the claim that it may have held ends by itself. */
function claimsIn(delivery: Delivery, logger: Logger): ClaimedRun[] {
  if (delivery.kind !== 'stored' || delivery.text === '') return [];
  try {
    return ClaimsAnswer.parse(JSON.parse(delivery.text)).claims;
  } catch (error) {
    logger.error({ err: error }, 'the answer to the end of a run cannot be read');
    return [];
  }
}
