import type { Problem } from '../contract/errors.ts';
import type { JsonObject } from '../contract/run-events.ts';
import type { ArtifactUploads } from './artifact-uploads.ts';
import type { Budget } from './budget.ts';
import type { EpochKeys } from './call-key.ts';
import type { Reports, ScriptCalls } from './claim-clients.ts';
import type { EventSender } from './event-sender.ts';
import type { Cause } from './outcome.ts';
import type { RecordedTurn } from './recording.ts';
import type { RunLog } from './run-log.ts';
import type { Reply } from './server-client.ts';
import type { Traffic } from './traffic.ts';
import type { Waiting } from './waiting.ts';

/** Answer to one host call, as the worker gets it. */
export type Answer = {
  value?: string;
  error?: { name: string; message: string; fields?: JsonObject };
  now_ms?: number;
  seed?: string;
  /** Of a checkpoint: the one that the script resumed from. */
  again?: boolean;
  /** Of a file: what became of it is not known, and the guest sends it once more. */
  resend?: boolean;
  /** Of a replay: the recording has no answer, for this reason; the script gets none. */
  unanswered?: string;
};

/** Budgets that the runner counts too, so that a run ends early and politely. */
export type BudgetName = 'host_calls' | 'writes';

/** What the host calls of one run share. */
export type RunContext = {
  calls: ScriptCalls;
  reports: Reports;
  sender: EventSender;
  log: RunLog;
  lineageSeed: string;
  heapMib: number;
  budgets: Readonly<Record<BudgetName, Budget>>;
  keys: EpochKeys;
  /** What `once` was asked for in this attempt, and how many calls came before. */
  onces: Map<string, { keys: EpochKeys; count: number }>;
  traffic: Traffic;
  artifacts: ArtifactUploads;
  waiting: Waiting;
  /** The order of its answers is reported. */
  record: boolean;
  /** Of a replay: when the recorded script got its answers. */
  turns: ReadonlyMap<string, RecordedTurn> | null;
  /** Where the script's clock stands. */
  nowMs: number;
  alive(): boolean;
  end(cause: Cause): void;
  /** The claim is over: nothing more can be told to the server. */
  lose(reason: string): void;
};

/** Moves the script's clock, never backwards; the new time. */
export function advanceClock(run: RunContext, toMs: number | null): number {
  if (toMs !== null && toMs > run.nowMs) run.nowMs = toMs;
  return run.nowMs;
}

export function failure(message: string): Answer {
  return { error: { name: 'Error', message } };
}

/** Ends the run where the answer says that the claim is over. */
export function isClaimOver(run: RunContext, { status }: Reply, problem: Problem | null): boolean {
  const over = status === 401 || problem?.code === 'run_fenced' || problem?.code === 'run_not_running';
  if (over) run.lose(`the server answered ${problem?.code ?? status}`);
  return over;
}
