import type { Span } from '../tracing/tracing.ts';
import { createAnswerGate } from './answer-gate.ts';
import { createAnswersTold } from './answers-told.ts';
import { createArtifactUploads } from './artifact-uploads.ts';
import { createBudget } from './budget.ts';
import { createEpochKeys } from './call-key.ts';
import { createReports, createScriptCalls, type Reports } from './claim-clients.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { Ending } from './ending.ts';
import { createEventSender } from './event-sender.ts';
import { causeOfRefusedEvents } from './outcome.ts';
import type { RecordedAnswer } from './recording.ts';
import type { RunContext } from './run-context.ts';
import { createRunLog } from './run-log.ts';
import type { RunWorker } from './run-worker.ts';
import type { ServerClient } from './server-client.ts';
import { createWaiting, type Pausable, startPausable } from './waiting.ts';

/** `wall`: the script's time. `reportsBy`: reports of this run through another client of the server. */
export type RunParts = { context: RunContext; wall: Pausable; reportsBy(client: ServerClient): Reports };

type Given = {
  client: ServerClient;
  promptHoldMs: number;
  ending: Ending;
  worker: RunWorker;
  span: Span | null;
  /** Filled before the script begins. */
  earlierAnswers: ReadonlyMap<string, RecordedAnswer>;
};

/** Makes what the host calls of one run share. Each part stops the run by `ending`. */
export function createRunParts(claim: ClaimedRun, { client, promptHoldMs, ending, worker, span, earlierAnswers }: Given): RunParts {
  const { run, limits, used } = claim;
  const budgets = {
    host_calls: createBudget(limits.host_calls, used.host_calls),
    writes: createBudget(limits.writes, claim.writes_made),
  };
  const wall = startPausable(limits.wall_seconds * 1000 - used.wall_ms, () => ending.end({ kind: 'wall', seconds: limits.wall_seconds }));
  // The script's time begins when it has a worker: after a run that took down its worker, the next run may wait for a new one.
  wall.pause();
  const waiting = createWaiting(promptHoldMs, {
    onBegin(promptIds) {
      wall.pause();
      ending.tell({ kind: 'asks', promptIds });
    },
    onEnd: wall.resume,
    onTimeout: (promptIds) => ending.tell({ kind: 'waits', promptIds }),
  });
  const told = createAnswersTold(claim.epoch);
  const reportsBy = (by: ServerClient) => createReports(by, claim.report_token, { taskId: run.task_id, runId: run.id }, span, told);
  const reports = reportsBy(client);
  const sender = createEventSender(
    {
      reports,
      leaseMs: claim.lease_seconds * 1000,
      // The figures include the run's earlier claims, because the next claim begins with them.
      used: () => ({
        cpu_ms: Math.round(worker.cpuMs()),
        wall_ms: Math.round(used.wall_ms + wall.usedMs()),
        host_calls: budgets.host_calls.spent(),
      }),
    },
    { onLost: ending.lose, onRefused: (code, detail) => ending.end(causeOfRefusedEvents(code, detail, limits)) },
  );
  const log = createRunLog({ sender, limitBytes: limits.log_bytes, made: claim.log_made, said: claim.said }, (limit) =>
    ending.end({ kind: 'budget', budget: 'log', limit }),
  );
  const gate = createAnswerGate({
    rests: run.resumes === true,
    questions: () => waiting.promptIds().length,
    onDelivered: ({ orderName }, given) => told.delivered(orderName, given),
  });
  const context: RunContext = {
    ...{ reports, sender, log, budgets, told, gate, waiting, span },
    recordedAnswers: run.replay ? earlierAnswers : null,
    calls: createScriptCalls(client, claim.token, span, told),
    lineageSeed: claim.seed,
    heapMib: limits.heap_mib,
    keys: createEpochKeys(claim.epoch),
    firstEpoch: claim.epoch,
    onces: new Map(),
    artifacts: createArtifactUploads(),
    record: run.record,
    dryRun: run.dry_run,
    nowMs: Date.parse(claim.now),
    alive: ending.alive,
    end: ending.end,
    lose: ending.lose,
  };
  return { context, wall, reportsBy };
}
