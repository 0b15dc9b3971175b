import type { Problem } from '../contract/errors.ts';
import type { JsonObject } from '../contract/run-events.ts';
import type { Span } from '../tracing/tracing.ts';
import type { AnswerGate } from './answer-gate.ts';
import type { AnswersTold } from './answers-told.ts';
import type { ArtifactUploads } from './artifact-uploads.ts';
import type { Budget } from './budget.ts';
import type { EpochKeys } from './call-key.ts';
import type { Reports, ScriptCalls } from './claim-clients.ts';
import type { EventSender } from './event-sender.ts';
import type { Cause } from './outcome.ts';
import type { RecordedAnswer } from './recording.ts';
import type { LoggedCall, RunLog } from './run-log.ts';
import type { Reply } from './server-client.ts';
import type { Waiting } from './waiting.ts';

/** The answer to one host call. */
export type Answer = {
  value?: string;
  error?: { name: string; message: string; fields?: JsonObject };
  /** The time to which the answer moves the script's clock, which it never moves back; null: the clock stays where it is. */
  movesTo?: number | null;
  seed?: string;
  /** The call was the checkpoint that the script resumed from, so the epoch stays the same. */
  again?: boolean;
  /** It is not known whether the file was stored; the guest sends it once more. */
  resend?: boolean;
  /** Called just before the script gets the answer, which may be kept back for a while. */
  onGiven?: () => void;
  /** The line of the log that the answer adds. */
  line?: LoggedCall;
  /** In a replay: why the recording has no answer; the script gets none. */
  unanswered?: string;
};

/** Budgets that the runner counts too, so that it can end a run before the server must refuse a call (spec LI3). */
export type BudgetName = 'host_calls' | 'writes';

/** The state and the parts of one run that its host calls share. */
export type RunContext = {
  calls: ScriptCalls;
  reports: Reports;
  sender: EventSender;
  log: RunLog;
  lineageSeed: string;
  heapMib: number;
  budgets: Readonly<Record<BudgetName, Budget>>;
  keys: EpochKeys;
  /** The epoch in which this attempt began at the top of its script. */
  firstEpoch: number;
  /** For each name that `once` was called with in this attempt, how many calls of the epoch came before, and how much was said. */
  onces: Map<string, { keys: EpochKeys; count: number; said: number }>;
  gate: AnswerGate;
  told: AnswersTold;
  artifacts: ArtifactUploads;
  waiting: Waiting;
  /** Nothing of the run is kept, and it waits for no time. */
  dryRun: boolean;
  /** The run is recorded: the runner reports in which order the script gets its answers. */
  record: boolean;
  /** null: there is no tracing. Nothing of it reaches the script. */
  span: Span | null;
  /** In a replay: the recording's entries, by the names of the calls. */
  recordedAnswers: ReadonlyMap<string, RecordedAnswer> | null;
  /** The time that the script's clock shows after the last answer, in ms since 1970. */
  nowMs: number;
  alive(): boolean;
  end(cause: Cause): void;
  /** The claim is over: the server accepts no more reports. */
  lose(reason: string): void;
};

/** Moves the script's clock forward, never back, and returns the new time. */
export function advanceClock(run: RunContext, toMs: number | null): number {
  if (toMs !== null && toMs > run.nowMs) run.nowMs = toMs;
  return run.nowMs;
}

export function failure(message: string): Answer {
  return { error: { name: 'Error', message } };
}

/** Returns whether the answer says that the claim is over; if so, the run is given up. */
export function isClaimOver(run: RunContext, { status }: Reply, problem: Problem | null): boolean {
  const over = status === 401 || problem?.code === 'run_fenced' || problem?.code === 'run_not_running';
  if (over) run.lose(`the server answered ${problem?.code ?? status}`);
  return over;
}
