import { isWrite } from '../../contract/endpoint.ts';
import type { Answer, Executor, ScriptCall, TaskCall, VerbCall } from './call.ts';
import { chainOf } from './chain.ts';
import { emptyPlan, passes, settledPass, storedPass } from './dry-run/passes.ts';
import { KnownPlans } from './dry-run/redo-log.ts';
import { HeldTimes } from './dry-run/writer-slot.ts';
import { answerOrder } from './journal/answer-order.ts';
import { ownClaim } from './journal/claims.ts';
import { EarlierAttempts } from './journal/earlier-attempts.ts';
import { journalled, withCallKey } from './journal/journalled-call.ts';
import { passingRefusals } from './journal/passing-refusals.ts';
import { UsedPermissions, usedPermissions } from './journal/used-permissions.ts';
import { idempotency, type KeyedCall, withIdempotencyKey } from './keys/idempotency.ts';
import { heavyReads, readAhead } from './reads/heavy-reads.ts';
import { looseReads } from './reads/loose-reads.ts';
import { carryOut } from './verb/execution.ts';
import { answerOrRefusal } from './verb/stored-refusals.ts';
import { snapshot, transaction } from './verb/transaction.ts';

export function createExecutor(given: Pick<Executor, 'services' | 'recordVersions' | 'find'>): Executor {
  const executor: Executor = {
    ...given,
    usage: new UsedPermissions(),
    heldTimes: new HeldTimes(),
    queues: new Map(),
    knownPlans: new KnownPlans(),
    earlier: new EarlierAttempts(),
    execute: (call) => execute(call),
  };
  const execute = executing(executor);
  return executor;
}

/**
 * The ways of a call to its verb. The wrappers are in the order in which a call comes through them; those after `transaction` and `snapshot`
 * work inside it.
 */
function executing(executor: Executor): (call: VerbCall) => Promise<Answer> {
  const script = chainOf<TaskCall>()
    .use(withCallKey)
    .use(passingRefusals(executor))
    .use(passes(executor))
    .use(heavyReads(executor))
    .use(transaction<ScriptCall>(executor))
    .use(emptyPlan(executor))
    .use(looseReads(executor))
    .use(journalled(executor))
    .use(readAhead)
    .to((call) => answerOrRefusal(executor, call));
  const write = chainOf<VerbCall>()
    .use(withIdempotencyKey)
    .use(transaction<KeyedCall>(executor))
    .use(answerOrder)
    .use(idempotency(executor))
    .use(ownClaim)
    .use(settledPass(executor))
    .use(usedPermissions(executor))
    .to((call) => carryOut(executor, call));
  const read = chainOf<VerbCall>()
    .use(storedPass(executor))
    .use(snapshot(executor))
    .to((call) => carryOut(executor, call));
  return (call) => (isOfScript(call) ? script(call) : isWrite(call.endpoint) ? write(call) : read(call));
}

/** A call by a run's script; what its runner reports is a write or a read as anybody's. */
function isOfScript(call: VerbCall): call is TaskCall {
  return call.actor.type === 'task' && !call.endpoint.ownRun;
}
