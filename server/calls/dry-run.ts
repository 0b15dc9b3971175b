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
  refuseExcess,
  refuseOther,
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
 * Answers a call of a dry run: behind a savepoint the earlier writes are carried out again in their order, then the call,
 * then all of it is rolled back; what would have changed is noted behind that (automation.md §6).
 */
export async function answerStaged(
  executor: Executor,
  call: VerbCall,
  db: Db,
  { actor, turn, carryOut }: { actor: TaskActor; turn: Turn; carryOut: (call: VerbCall) => Promise<Answer> },
): Promise<Answer> {
  // What was made of a sample is not to be carried out: that nobody was asked is part of the plan.
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
      await turn.mayGoOn();
      await carryOutAgain(executor, call, plan.seed, write, carryOut);
    }
    await turn.mayGoOn();
    return carryOut({
      ...call,
      staging: { now: at, random: randomOf(plan.seed, next.position), noted: (entries) => void effects.push(...entries) },
    });
  });

  await countCarriedOut(db, actor.lineageId, recordsAgain);
  if (isWriting && answer.status < 400) {
    const isOutside = call.outside?.isAsked ?? false;
    const write: PlannedWrite = { ...next, isOutside, at, outcome: outcomeOf(answer.status, answer.body, effects) };
    await keepPlanned(db, actor.lineageId, write);
    await storeEffects(db, actor, effects, { method, path, status: answer.status, at });
  }
  // Of a record as it never was: the shop's own tag may be the same.
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
    noted: (entries: readonly AuditEntry[]) => void effects.push(...entries),
  };
  const { status, body } = await carryOut(writeAgain(executor, write, { actor, requestId, ip, prepared: write.prepared, staging }));
  refuseOther(write, outcomeOf(status, body, effects));
}
