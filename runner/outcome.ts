import { budgetMessage } from '../contract/run-budgets.ts';
import type { EndReason } from '../contract/run-events.ts';
import type { Limits, LimitsMax } from '../contract/runner.ts';

/** Why a run ended, as the runner saw it. */
export type Cause =
  | {
      kind: 'done';
      end_reason: 'completed' | 'script_error' | 'heap';
      error_message: string | null;
      result: string | null;
      reusable: boolean;
      retry_after_ms?: number | undefined;
    }
  | { kind: 'cpu'; seconds: number }
  | { kind: 'wall'; seconds: number }
  | { kind: 'memory'; mebibytes: number }
  | {
      kind: 'budget';
      budget:
        | 'host_calls'
        | 'writes'
        | 'log'
        | 'journal'
        | 'dry_run_writes'
        | 'carried_out_again'
        | 'writer_time'
        | 'dry_run_time'
        | 'llm_tokens';
      limit: string;
    }
  | { kind: 'resume_mismatch'; message: string }
  | { kind: 'replay_parted'; message: string }
  | { kind: 'drained' }
  | { kind: 'violation'; message: string }
  | { kind: 'exit'; code: number | null; signal: string | null; stderr: string; ranOut?: boolean }
  | { kind: 'no_worker'; message: string };

export type Outcome = {
  status: 'success' | 'failed' | 'timed_out' | 'interrupted';
  end_reason: EndReason;
  error_message: string | null;
  retry_after_ms?: number;
};

/** The limits of the run, and the largest ones that its task may have. */
type RunLimits = { limits: Limits; limits_max: LimitsMax };

/** The status, end reason and message with which a run that ended for this cause is stored (spec RU13, LI1). */
export function outcomeOf(cause: Cause, limits: RunLimits): Outcome {
  switch (cause.kind) {
    case 'done':
      if (cause.end_reason === 'completed') return { status: 'success', end_reason: 'completed', error_message: null };
      return {
        status: 'failed',
        end_reason: cause.end_reason,
        error_message: cause.error_message,
        ...(cause.retry_after_ms !== undefined && { retry_after_ms: cause.retry_after_ms }),
      };
    case 'cpu':
      return { status: 'failed', end_reason: 'cpu', error_message: `the run used more than ${cause.seconds} s of CPU time` };
    case 'wall':
      return { status: 'timed_out', end_reason: 'wall', error_message: `the run took longer than ${cause.seconds} s` };
    case 'memory':
      return { status: 'failed', end_reason: 'heap', error_message: `the run used more than ${cause.mebibytes} MiB of memory` };
    case 'budget':
      return { status: 'interrupted', end_reason: 'budget', error_message: budgetMessage(cause.budget, cause.limit, limits) };
    case 'resume_mismatch':
      return { status: 'interrupted', end_reason: 'resume_mismatch', error_message: cause.message };
    case 'replay_parted':
      return { status: 'interrupted', end_reason: 'replay_parted', error_message: cause.message };
    case 'drained':
      return { status: 'interrupted', end_reason: 'drained', error_message: 'the runner was stopped' };
    case 'violation':
      return { status: 'failed', end_reason: 'sandbox', error_message: cause.message };
    case 'exit':
      return outcomeOfExit(cause);
    case 'no_worker':
      return { status: 'interrupted', end_reason: 'lost_worker', error_message: cause.message };
    default:
      return cause satisfies never;
  }
}

const OUT_OF_MEMORY =
  /Last few GCs|heap out of memory|out of memory|heap limit|allocation failed|bad_alloc|invalid (array|table|size)|cannot allocate memory/i;
/** Signals that end a process when V8 or libc gets no memory: abort(), or a trap instruction of V8. */
const ABORTS = new Set<string | null>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);
/** Signals by which the kernel or libc ends a process for what it did itself. Any other one came from outside. */
const CRASHES = new Set([...ABORTS, 'SIGFPE', 'SIGSYS', 'SIGXCPU', 'SIGXFSZ']);
/** What unshare prints when its child was killed: it then ends with exit code 1 instead of 128 plus the signal. */
const CHILD_KILLED = /^unshare: (sigprocmask unblock failed|child kill failed)/m;

/** The outcome where the worker ended without the runner's doing: out of memory (V8 or cgroup), killed from outside, or crashed. */
function outcomeOfExit({ code, signal, stderr, ranOut }: Extract<Cause, { kind: 'exit' }>): Outcome {
  const how = signal ?? `exit code ${code}`;
  const aborted = ABORTS.has(signal) || (code !== null && code >= 128);
  if (ranOut || (aborted && OUT_OF_MEMORY.test(stderr))) {
    return { status: 'failed', end_reason: 'heap', error_message: 'the run used more memory than it may' };
  }
  const killed = signal === null ? CHILD_KILLED.test(stderr) : !CRASHES.has(signal);
  if (killed) {
    return {
      status: 'interrupted',
      end_reason: 'lost_worker',
      error_message: `the worker process was killed from outside (${signal ?? 'SIGKILL'})`,
    };
  }
  return { status: 'failed', end_reason: 'sandbox', error_message: `the worker process crashed (${how})` };
}

/** Why a run ends whose events the server refused. */
export function causeOfRefusedEvents(code: string, detail: string, { log_bytes }: Limits): Cause {
  if (code === 'log_too_large') return { kind: 'budget', budget: 'log', limit: `${log_bytes} bytes` };
  return { kind: 'violation', message: `the server refused the run's events: ${code} ${detail}` };
}

/** Whether the worker died while it made the isolate. No part of the script had run, so another worker may take the run. */
export function diedOpeningIsolate({ stderr }: { stderr: string }): boolean {
  return /Failed to reserve (virtual )?memory for CodeRange/.test(stderr);
}
