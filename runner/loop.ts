import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type NextRun, type RunnerInfo, runnerEndpoints } from '../contract/runner.ts';
import { type ClaimedRun, ClaimsAnswer } from './claimed-run.ts';
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

const WAIT_MS = 20_000;
const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 5000;
/** When an empty answer comes sooner than this, the server did not wait for work; asking again at once would be a busy loop. */
const EMPTY_MIN_MS = 100;
const UNAUTHORISED_TRIES = 3;

/**
 * Claims runs while slots are free, until the signal; rejects when the server keeps refusing the token.
 * A slot that becomes free during a poll gets another poll. Aborting the first one could lose a claim that the server has just
 * made: it would be offered again only after 5 s.
 */
export async function claimRuns({ client, token, runner, slots, start, log, onServer, signal }: LoopOptions): Promise<void> {
  const { promise: stopped, resolve: stop, reject: fail } = Promise.withResolvers<void>();
  const info = { ...runner, total_slots: slots };
  let busy = 0;
  let ending = 0;
  let asked = 0;
  let polls = 0;
  let failures = 0;
  let refusals = 0;
  let resting = false;
  let wasAnswered = false;
  signal.addEventListener('abort', () => polls === 0 && stop());
  askForWork();
  return stopped;

  function askForWork(): void {
    const free = slots - busy - asked;
    // After a failure a single poll asks for all free slots, until the server answers again.
    if (signal.aborted || resting || free < 1 || (failures > 0 && polls > 0)) return;
    void poll(free);
  }

  async function poll(free: number): Promise<void> {
    asked += free;
    polls += 1;
    const sentAt = performance.now();
    // The first answer comes at once, so that a wrong token or address shows at the start and not after a long wait.
    const waitMs = wasAnswered ? WAIT_MS : 0;
    const claims = await requestClaims(free, waitMs);
    asked -= free;
    polls -= 1;
    for (const claim of claims ?? []) occupy(claim);
    if (signal.aborted) return polls === 0 ? stop() : undefined;
    if (claims === null) await rest(Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures - 1, 10), RETRY_MAX_MS));
    else if (claims.length === 0 && waitMs > 0 && performance.now() - sentAt < EMPTY_MIN_MS) await rest(RETRY_FIRST_MS);
    askForWork();
  }

  async function rest(ms: number): Promise<void> {
    resting = true;
    await delay(ms, undefined, { signal }).catch(() => {});
    resting = false;
    if (signal.aborted && polls === 0) stop();
  }

  function occupy(claim: ClaimedRun): void {
    busy += 1;
    const handle = start(claim, () => (signal.aborted ? null : { token, runner: info }));
    void handle.workerFree.then(async ({ asksForNext }) => {
      if (asksForNext) {
        const claims = await handle.finished;
        busy -= 1;
        // A claim that comes when the runner stops is never confirmed, so its run is soon offered again.
        if (!signal.aborted) for (const next of claims) occupy(next);
      } else {
        ending += 1;
        const reported = handle.finished.then(() => (ending -= 1));
        // The next run may start while the end of this one is being reported, but only `slots` reports may be open at a time.
        if (ending > slots) await reported;
        busy -= 1;
      }
      askForWork();
    });
  }

  /** Returns null when the server could not be reached or refused. */
  async function requestClaims(free: number, waitMs: number): Promise<ClaimedRun[] | null> {
    const body = JSON.stringify({ runner: info, slots: free, wait_ms: waitMs });
    try {
      const reply = await client.request({
        method: 'POST',
        path: runnerEndpoints['runner.claim'].path,
        token,
        body,
        timeoutMs: waitMs + 15_000,
        signal,
      });
      if (reply.status !== 200) {
        if (reply.status === 401 || reply.status === 403) refuse(reply.status);
        countFailure(`the server answered ${reply.status}`);
        return null;
      }
      const { claims } = ClaimsAnswer.parse(JSON.parse(reply.text));
      if (failures > 0) log.info('the server answers again');
      if (failures > 0 || !wasAnswered) onServer?.(true);
      failures = 0;
      refusals = 0;
      wasAnswered = true;
      return claims;
    } catch (error) {
      if (!signal.aborted) countFailure(error instanceof Error ? error.message : 'no answer');
      return null;
    }
  }

  function countFailure(reason: string): void {
    if (failures === 0) log.warn({ reason }, 'runs cannot be claimed; trying again');
    if (failures === 0) onServer?.(false);
    failures += 1;
  }

  function refuse(status: number): void {
    refusals += 1;
    if (refusals >= UNAUTHORISED_TRIES)
      fail(new Error(`the server refuses RUNNER_TOKEN (${status}): it needs a valid token with admin_api.runner.write`));
  }
}
