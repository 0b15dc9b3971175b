import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { Refusal } from '../verbs/problem.ts';

/** How often a pass may start. Each try after the first may hold the writer twice as long as the first. */
const TRIES = 8;
/** The pauses between tries double, up to this multiple of the first pause. */
const LONGEST_PAUSE = 16;
/** The pass yields to the event loop this often, so that other requests are answered and waiting writers are noticed. */
const PAUSE_EVERY_MS = 10;
/** Number of runs whose held time is remembered. */
const RUNS_MAX = 10_000;

/** A pass calls `checkTurn` between two writes; it throws if the pass must end. */
export type Turn = { checkTurn(): Promise<void> };

/** The pass was undone because others wait to write; it starts again after they had their turn. */
class TurnEnded extends Error {}

/** How long each dry run has held the writer; kept only in the memory of this server. */
export class HeldTimes {
  readonly #ms = new Map<number, number>();

  of(runId: number): number {
    return this.#ms.get(runId) ?? 0;
  }

  add(runId: number, ms: number): void {
    const sum = this.of(runId) + ms;
    // Re-inserting moves the run to the end of the map; the first entry, used longest ago, is the one to drop.
    this.#ms.delete(runId);
    this.#ms.set(runId, sum);
    const [oldest] = this.#ms.size > RUNS_MAX ? this.#ms.keys() : [];
    if (oldest !== undefined) this.#ms.delete(oldest);
  }
}

type Holding = { services: Services; heldTimes: HeldTimes };

/**
 * A pass of a dry run is one transaction, and SQLite has one writer. A pass that holds the writer too long while others wait is undone, so
 * that they go first. The run ends if the last try still takes too long, or if all its passes together have used up their time.
 */
export async function runInTurns<T>({ services, heldTimes }: Holding, runId: number, pass: (turn: Turn) => Promise<T>): Promise<T> {
  const { store, config } = services;
  for (let attempt = 1; ; attempt++) {
    let began: number | undefined;
    let pausedAt = Number.NEGATIVE_INFINITY;
    const turn: Turn = {
      async checkTurn() {
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
