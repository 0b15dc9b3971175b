import { stop as stopEsbuild } from 'esbuild';
import { pino } from 'pino';
import type { WholeRun } from '../../contract/runs.ts';
import { bundlePrelude } from '../../runner/bundling.ts';
import { ClaimsAnswer } from '../../runner/claimed-run.ts';
import type { Pool } from '../../runner/pool.ts';
import type { FromWorker, ToWorker } from '../../runner/protocol.ts';
import { executeRun, type RunHandle } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import { type Bridge, runScript } from '../../runner/worker/bridge.ts';
import { makeSnapshot, type Prelude } from '../../runner/worker/isolate.ts';
import type { WorkerEnd, WorkerListener, WorkerProcess } from '../../runner/worker-process.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { RUNNER_TOKEN, type TestApp } from './app.ts';
import { lapse } from './runs.ts';

type CallMessage = Extract<FromWorker, { type: 'call' }>;
type AnswerMessage = Extract<ToWorker, { type: 'answer' }>;

/**
 * Called for each call of a script and for each answer to it. true: the worker is killed there, and the call or answer is lost.
 * `runner`: the runner is killed too, and reports nothing to the server.
 */
export type Fate = (message: CallMessage | AnswerMessage) => boolean | 'runner';

/** `url`: the address of a proxy before the server. `promptHoldMs`: how long a run that waits for a person keeps its worker. */
export type InProcessOptions = { url?: string; promptHoldMs?: () => number; tracing?: Tracing | null };

export type InProcessRunner = {
  /** Claims open runs until this run has ended; returns the ended run. */
  finish(taskId: number, runId: number, fate?: Fate): Promise<WholeRun>;
  close(): Promise<void>;
};

const SURVIVES: Fate = () => false;
let prelude: Promise<Prelude> | undefined;

async function builtPrelude(): Promise<Prelude> {
  const text = await bundlePrelude();
  await stopEsbuild();
  return makeSnapshot(text);
}

/**
 * The real runner, except that scripts run in isolates of this process. These start in milliseconds, and to kill one, it is
 * simply no longer used.
 */
export function openInProcessRunner(app: TestApp, { url = app.url, promptHoldMs, tracing = null }: InProcessOptions = {}): InProcessRunner {
  const client = createServerClient(url);
  const told: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => told.push(line) });
  const runs = new Set<RunHandle>();

  async function claimOne(waitMs: number, fate: Fate): Promise<void> {
    const body = JSON.stringify({ runner: { name: 'in-process', version: '1', isolation: [] }, slots: 1, wait_ms: waitMs });
    const reply = await client.request({ method: 'POST', path: '/runner/claims', token: RUNNER_TOKEN, body });
    const { claims } = ClaimsAnswer.parse(JSON.parse(reply.text));
    for (const claim of claims) {
      let isKilled = false;
      const pool = onePool(fate, () => {
        isKilled = true;
        run.abandon();
      });
      const run = executeRun(claim, { client, pool, log, tracing, ...(promptHoldMs && { promptHoldMs: promptHoldMs() }) });
      runs.add(run);
      await run.finished;
      runs.delete(run);
      if (isKilled) await lapse(app, { runId: claim.run.id });
    }
  }

  return {
    async finish(taskId, runId, fate = SURVIVES) {
      for (;;) {
        await claimOne(5000, fate);
        const run = await app.client.ai_tasks.get_run(taskId, runId);
        if (run.status !== 'running') return run;
        // Otherwise a run that was given up would stand still until the lease of its claim ends, which is long in tests.
        const ofClaim = `"run_id":${runId},"task_id":${taskId},"attempt":${run.attempt},"reason"`;
        const givenUp = run.claimed_by !== null && told.find((line) => line.includes(ofClaim));
        if (givenUp) throw new Error(`run ${runId} goes on, but its runner has given it up: ${givenUp}`);
      }
    },
    async close() {
      for (const run of runs) run.abandon();
      await client.close();
    },
  };
}

function onePool(fate: Fate, killRunner: () => void): Pool {
  return {
    async take() {
      prelude ??= builtPrelude();
      const worker = createWorker(await prelude, fate, killRunner);
      return { worker, giveBack: () => worker.kill() };
    },
    close: async () => undefined,
  };
}

function createWorker(built: Prelude, fate: Fate, killRunner: () => void): WorkerProcess {
  const { promise: ended, resolve } = Promise.withResolvers<WorkerEnd>();
  let listener: WorkerListener | undefined;
  let bridge: Bridge | undefined;
  let alive = true;
  function kill(): void {
    if (!alive) return;
    alive = false;
    bridge?.dispose();
    resolve({ code: null, signal: 'SIGKILL', stderr: '', ranOut: false });
  }
  return {
    // There is no process with this id, so the runner's watch of its workers finds nothing.
    pid: 0,
    ended,
    listen(next) {
      listener = next;
    },
    send(message) {
      if (!alive) return;
      if (message.type === 'answer' && isFatal(message)) return;
      if (message.type === 'answer') bridge?.answer(message);
      else if (message.type === 'start') bridge = runScript(built, message, receive);
    },
    limitMemory: () => undefined,
    unreadBytes: () => 0,
    kill,
    prepare: async () => undefined,
    readyFor: async () => undefined,
  };

  function receive(message: FromWorker): void {
    if (!alive) return;
    if (message.type === 'call' && message.id > 0 && isFatal(message)) return;
    listener?.onMessage(message);
  }

  function isFatal(message: CallMessage | AnswerMessage): boolean {
    const end = fate(message);
    if (end === 'runner') killRunner();
    if (end !== false) kill();
    return end !== false;
  }
}
