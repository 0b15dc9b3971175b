import { isWrite } from '../../contract/endpoint.ts';
import {
  countCarriedOut,
  isPlanEmpty,
  keepPlanned,
  lockPlan,
  outcomeOf,
  type PlannedWrite,
  randomOf,
  recordsOf,
  refuseChangedOutcome,
  refuseExcess,
} from '../automation/dry-runs/domain.ts';
import type { Db } from '../db/open.ts';
import { rolledBack } from '../db/savepoint.ts';
import { stageIds } from '../db/staged-ids.ts';
import { storeEffects } from '../resources/audit/domain.ts';
import type { AuditEntry, TaskActor } from '../verbs/context.ts';
import type { Answer, Call, Executor, VerbCall } from './call.ts';
import { journalledCall } from './journal.ts';
import type { Turn } from './turns.ts';
import { writeAgain } from './write-again.ts';

/**
 * Answers a call of a dry run. Behind a savepoint, the planned writes so far are carried out again in order, then the call itself; then the
 * savepoint is rolled back, and what the call would have changed is stored (automation.md §6).
 */
export async function answerStaged(
  executor: Executor,
  call: VerbCall,
  db: Db,
  { actor, turn, carryOut }: { actor: TaskActor; turn: Turn; carryOut: (call: VerbCall) => Promise<Answer> },
): Promise<Answer> {
  // A call that got a sample must not be carried out again, so the plan also has to record that nobody was asked.
  const isWriting = isWrite(call.endpoint) || call.outside !== undefined;
  if (!isWriting && (await isPlanEmpty(db, actor.lineageId))) return carryOut(call);
  const plan = await lockPlan(db, actor.lineageId);
  const again = plan.writes.filter(({ isOutside }) => !isOutside);
  const recordsAgain = recordsOf(again);
  await refuseExcess(db, actor, plan, { isWriting, recordsAgain });
  const { method, path, body } = journalledCall(call);
  const next = { position: plan.writes.length + 1, method, path, body, prepared: call.prepared };
  const at = new Date().toISOString();
  const effects: AuditEntry[] = [];

  const answer = await rolledBack(db, async () => {
    await stageIds(db, executor.services.store.dialect);
    for (const write of again) {
      await turn.checkTurn();
      await carryOutAgain(executor, call, plan.seed, write, carryOut);
    }
    await turn.checkTurn();
    return carryOut({
      ...call,
      staging: { now: at, random: randomOf(plan.seed, next.position), record: (entries) => void effects.push(...entries) },
    });
  });

  await countCarriedOut(db, actor.lineageId, recordsAgain);
  if (isWriting && answer.status < 400) {
    const isOutside = call.outside?.isAsked ?? false;
    const write: PlannedWrite = { ...next, isOutside, at, outcome: outcomeOf(answer.status, answer.body, effects) };
    await keepPlanned(db, actor.lineageId, write);
    await storeEffects(db, actor, effects, { method, path, status: answer.status, at });
  }
  // The ETag of a record that existed only behind the savepoint is not returned, because the real record may get the same one later.
  const { ETag: _, ...headers } = answer.headers;
  return { ...answer, headers, after: [] };
}

async function carryOutAgain(
  executor: Executor,
  { actor, requestId, ip }: Call,
  seed: string,
  write: PlannedWrite,
  carryOut: (call: VerbCall) => Promise<Answer>,
): Promise<void> {
  const effects: AuditEntry[] = [];
  const staging = {
    now: write.at,
    random: randomOf(seed, write.position),
    record: (entries: readonly AuditEntry[]) => void effects.push(...entries),
  };
  const { status, body } = await carryOut(writeAgain(executor, write, { actor, requestId, ip, prepared: write.prepared, staging }));
  refuseChangedOutcome(write, outcomeOf(status, body, effects));
}
