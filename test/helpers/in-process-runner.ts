import { stop as stopEsbuild } from 'esbuild';
import { pino } from 'pino';
import type { Run } from '../../contract/tasks.ts';
import { ClaimsAnswer } from '../../runner/payloads.ts';
import type { Pool } from '../../runner/pool.ts';
import { bundlePrelude } from '../../runner/prelude.ts';
import type { FromWorker, ToWorker } from '../../runner/protocol.ts';
import { type RunHandle, startRun } from '../../runner/run.ts';
import { createServerClient } from '../../runner/server-client.ts';
import { type Bridge, runScript } from '../../runner/worker/bridge.ts';
import { compilePrelude, type Prelude } from '../../runner/worker/isolate.ts';
import type { WorkerEnd, WorkerListener, WorkerProcess } from '../../runner/worker-process.ts';
import { RUNNER_TOKEN, type TestApp } from './app.ts';

type CallMessage = Extract<FromWorker, { type: 'call' }>;
type AnswerMessage = Extract<ToWorker, { type: 'answer' }>;

/** Asked at each call and each answer of a script; true: its worker is killed there, and what it said or was told is lost. */
export type Fate = (message: CallMessage | AnswerMessage) => boolean;

export type InProcessRunner = {
  /** Claims what is open until this run has ended, and gives it. */
  finish(taskId: number, runId: number, fate?: Fate): Promise<Run>;
  close(): Promise<void>;
};

const SURVIVES: Fate = () => false;
let prelude: Promise<Prelude> | undefined;

async function builtPrelude(): Promise<Prelude> {
  const text = await bundlePrelude();
  await stopEsbuild();
  return compilePrelude(text);
}

/**
 * The runner as it is, but that its scripts run in isolates of this process, which start in milliseconds and are killed
 * by being forgotten.
 */
export function openInProcessRunner(app: TestApp): InProcessRunner {
  const client = createServerClient(app.url);
  const log = pino({ level: 'silent' });
  const runs = new Set<RunHandle>();

  async function claimOne(waitMs: number, fate: Fate): Promise<void> {
    const body = JSON.stringify({ runner: { name: 'in-process', version: '1', isolation: [] }, slots: 1, wait_ms: waitMs });
    const reply = await client.request({ method: 'POST', path: '/runner/claims', token: RUNNER_TOKEN, body });
    const { claims } = ClaimsAnswer.parse(JSON.parse(reply.text));
    for (const claim of claims) {
      const run = startRun(claim, { client, pool: onePool(fate), log });
      runs.add(run);
      await run.finished;
      runs.delete(run);
    }
  }

  return {
    async finish(taskId, runId, fate = SURVIVES) {
      for (;;) {
        await claimOne(5000, fate);
        const run = await app.client.ai_tasks.get_run(taskId, runId);
        if (run.status !== 'running') return run;
      }
    },
    async close() {
      for (const run of runs) run.abandon();
      await client.close();
    },
  };
}

function onePool(fate: Fate): Pool {
  return {
    async take() {
      prelude ??= builtPrelude();
      const worker = createWorker(await prelude, fate);
      return { worker, giveBack: () => worker.kill() };
    },
    close: async () => undefined,
  };
}

function createWorker(built: Prelude, fate: Fate): WorkerProcess {
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
    // Nobody's: the runner's watch finds nothing there.
    pid: 0,
    ended,
    listen(next) {
      listener = next;
    },
    send(message) {
      if (!alive) return;
      if (message.type === 'answer' && fate(message)) return kill();
      if (message.type === 'answer') bridge?.answer(message);
      else bridge = runScript(built, message, receive);
    },
    limitMemory: () => undefined,
    unreadBytes: () => 0,
    kill,
    settled: async () => undefined,
  };

  function receive(message: FromWorker): void {
    if (!alive) return;
    if (message.type === 'call' && message.id > 0 && fate(message)) kill();
    else listener?.onMessage(message);
  }
}
