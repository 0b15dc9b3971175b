import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type NextRun, type RunnerInfo, runnerEndpoints } from '../contract/runner.ts';
import { type ClaimedRun, ClaimsAnswer } from './claimed-run.ts';
import { isRefused, type LoopState, restAfter, slotsToAsk, waitOf } from './loop-rules.ts';
import type { RunHandle } from './run.ts';
import type { ServerClient } from './server-client.ts';

export type LoopOptions = {
  client: ServerClient;
  token: string;
  runner: z.infer<typeof RunnerInfo>;
  slots: number;
  /** `askForNext`: what the report of the run's end tells to get the next run; null: no run is to follow. */
  start(claim: ClaimedRun, askForNext: () => NextRun | null): RunHandle;
  log: Logger;
  /** Told whether the server answers, at the first answer and at each change. */
  onServer?: (answers: boolean) => void;
  /** Aborted when the runner should claim no more runs. */
  signal: AbortSignal;
};
type Loop = LoopOptions & { state: LoopState; stop(): void; fail(error: Error): void };

/**
 * Claims runs while slots are free, until the signal; rejects when the server keeps refusing the token.
 * A slot that becomes free during a poll gets another poll. Aborting the first one could lose a claim that the server has just
 * made: it would be offered again only after 5 s.
 */
export async function claimRuns(options: LoopOptions): Promise<void> {
  const { runner, slots, signal } = options;
  const { promise: stopped, resolve: stop, reject: fail } = Promise.withResolvers<void>();
  const state: LoopState = {
    ...{ busy: 0, asked: 0, polls: 0, reporting: 0, failures: 0, refusals: 0 },
    ...{ resting: false, wasAnswered: false },
  };
  signal.addEventListener('abort', () => state.polls === 0 && stop());
  askForWork({ ...options, runner: { ...runner, total_slots: slots }, state, stop, fail });
  return stopped;
}

function askForWork(loop: Loop): void {
  const slots = loop.signal.aborted ? 0 : slotsToAsk(loop.state, loop.slots);
  if (slots > 0) void poll(loop, slots);
}

async function poll(loop: Loop, slots: number): Promise<void> {
  const { state, signal, stop } = loop;
  state.asked += slots;
  state.polls += 1;
  const sentAt = performance.now();
  const waitMs = waitOf(state);
  const claims = await requestClaims(loop, slots, waitMs);
  state.asked -= slots;
  state.polls -= 1;
  for (const claim of claims ?? []) occupy(loop, claim);
  if (signal.aborted) return state.polls === 0 ? stop() : undefined;
  const restMs = restAfter(state, { claims: claims?.length ?? null, waitMs, tookMs: performance.now() - sentAt });
  if (restMs > 0) await rest(loop, restMs);
  askForWork(loop);
}

async function rest({ state, signal, stop }: Loop, ms: number): Promise<void> {
  state.resting = true;
  await delay(ms, undefined, { signal }).catch(() => {});
  state.resting = false;
  if (signal.aborted && state.polls === 0) stop();
}

function occupy(loop: Loop, claim: ClaimedRun): void {
  const { token, runner, signal, state } = loop;
  state.busy += 1;
  const handle = loop.start(claim, () => (signal.aborted ? null : { token, runner }));
  void handle.workerFree.then(async ({ asksForNext }) => {
    if (asksForNext) {
      const claims = await handle.finished;
      state.busy -= 1;
      // A claim that comes when the runner stops is never confirmed, so its run is soon offered again.
      if (!signal.aborted) for (const next of claims) occupy(loop, next);
    } else {
      state.reporting += 1;
      const reported = handle.finished.then(() => (state.reporting -= 1));
      // The next run may start while the end of this one is being reported, but only `slots` reports may be open at a time.
      if (state.reporting > loop.slots) await reported;
      state.busy -= 1;
    }
    askForWork(loop);
  });
}

/** Returns null when the server could not be reached or refused. */
async function requestClaims(loop: Loop, slots: number, waitMs: number): Promise<ClaimedRun[] | null> {
  const { client, token, runner, signal } = loop;
  const body = JSON.stringify({ runner, slots, wait_ms: waitMs });
  const { path } = runnerEndpoints['runner.claim'];
  try {
    const reply = await client.request({ method: 'POST', path, token, body, timeoutMs: waitMs + 15_000, signal });
    if (reply.status !== 200) {
      countFailure(loop, `the server answered ${reply.status}`, reply.status);
      return null;
    }
    const { claims } = ClaimsAnswer.parse(JSON.parse(reply.text));
    countAnswer(loop);
    return claims;
  } catch (error) {
    if (!signal.aborted) countFailure(loop, error instanceof Error ? error.message : 'no answer');
    return null;
  }
}

function countAnswer({ state, log, onServer }: Loop): void {
  if (state.failures > 0) log.info('the server answers again');
  if (state.failures > 0 || !state.wasAnswered) onServer?.(true);
  state.failures = 0;
  state.refusals = 0;
  state.wasAnswered = true;
}

function countFailure({ state, log, onServer, fail }: Loop, reason: string, status?: number): void {
  if (status === 401 || status === 403) state.refusals += 1;
  if (isRefused(state)) fail(new Error(`the server refuses RUNNER_TOKEN (${status}): it needs a valid token with admin_api.runner.write`));
  if (state.failures === 0) {
    log.warn({ reason }, 'runs cannot be claimed; trying again');
    onServer?.(false);
  }
  state.failures += 1;
}
