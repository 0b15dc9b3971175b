import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';

/** How often a pass begins. Each try after the first may hold the writer twice as long as that one. */
const TRIES = 8;
/** The pauses between them double up to this many times the first one. */
const LONGEST_PAUSE = 16;
/** Others are answered at least so often, and are seen to wait. */
const PAUSE_EVERY_MS = 10;
/** Runs whose time is remembered. */
const RUNS_MAX = 10_000;

/** Between two writes of a pass: whether it may go on. */
export type Turn = { mayGoOn(): Promise<void> };

/** The pass was undone for others; it begins anew when they have had their turn. */
class TurnEnded extends Error {}

/** How long each dry run has kept others from writing, as long as this server lives. */
export class HeldTimes {
  readonly #ms = new Map<number, number>();

  of(runId: number): number {
    return this.#ms.get(runId) ?? 0;
  }

  add(runId: number, ms: number): void {
    const sum = this.of(runId) + ms;
    // Last in the order of the map, whose first is forgotten.
    this.#ms.delete(runId);
    this.#ms.set(runId, sum);
    const [oldest] = this.#ms.size > RUNS_MAX ? this.#ms.keys() : [];
    if (oldest !== undefined) this.#ms.delete(oldest);
  }
}

type Holding = { services: Services; heldTimes: HeldTimes };

/**
 * A pass of a dry run is one transaction, and SQLite has one writer: a pass that holds it too long while others wait is
 * undone, so that they go first. One that still takes too long at its last try ends its run, and so does one that begins
 * when all passes of its run have taken their time.
 */
export async function takingTurns<T>({ services, heldTimes }: Holding, runId: number, pass: (turn: Turn) => Promise<T>): Promise<T> {
  const { store, config } = services;
  for (let attempt = 1; ; attempt++) {
    let began: number | undefined;
    let pausedAt = Number.NEGATIVE_INFINITY;
    const turn: Turn = {
      async mayGoOn() {
        const now = performance.now();
        began ??= now;
        refuseLong(heldTimes.of(runId) + now - began, config.dryRunTotalMs);
        if (now - pausedAt > PAUSE_EVERY_MS) {
          await setImmediate();
          pausedAt = performance.now();
        }
        const holdMs = config.dryRunHoldMs * (attempt === 1 ? 1 : 2);
        if (now - began <= holdMs || store.waitingWrites() === 0) return;
        if (attempt < TRIES) throw new TurnEnded();
        throw full('writer_time', `${holdMs} ms at a time while others wait to write`);
      },
    };
    try {
      return await pass(turn);
    } catch (error) {
      if (!(error instanceof TurnEnded)) throw error;
    } finally {
      if (began !== undefined) heldTimes.add(runId, performance.now() - began);
    }
    await delay(config.dryRunHoldMs * Math.min(2 ** (attempt - 1), LONGEST_PAUSE));
  }
}

function refuseLong(heldMs: number, totalMs: number): void {
  if (heldMs > totalMs) throw full('dry_run_time', `${totalMs} ms for all of its calls`);
}

function full(budget: 'writer_time' | 'dry_run_time', limit: string): Refusal {
  return new Refusal('dry_run_full', `The plan of this dry run takes longer than its budget of ${limit}.`, { extra: { budget, limit } });
}
