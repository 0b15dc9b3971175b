import { setImmediate } from 'node:timers/promises';
import type { ServerConfig } from '../../config.ts';
import type { Store } from '../../db/open.ts';
import { Refusal } from '../../verbs/problem.ts';

/** The pass yields to the event loop this often, so that other requests are answered and waiting writers are noticed. */
const PAUSE_EVERY_MS = 10;
/** A pass lasts up to so many times as long as the earlier writes took, while nobody waits for it. */
const LONGER = 4;
const NEAR_MS = 25;
/** Number of runs whose held time is remembered. */
const RUNS_MAX = 10_000;

/** The pass is undone because others wait to write; it starts again after they have written. */
export class SlotEnded extends Error {}

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

type Limits = {
  services: { config: Pick<ServerConfig, 'dryRunHoldMs' | 'dryRunTotalMs'>; store: Pick<Store, 'waitingWrites'> };
  runId: number;
  heldTimes: HeldTimes;
  /** Milliseconds from any start. */
  now?: () => number;
};

/**
 * The time in which one pass holds the writer. SQLite has one writer, and a pass is one transaction: while others wait to write, it lasts
 * at most DRY_RUN_HOLD_MS.
 */
export class WriterSlot {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #beganMs: number;
  #pausedAtMs: number;
  #idleMs = 0;
  #establishedMs = 0;
  /** When the run began to use up its budget. */
  #countsFromMs: number | null = null;
  /** True: the call that is carried out now may take as long as the same call of an ordinary run. */
  mayOverrun = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#now = limits.now ?? (() => performance.now());
    this.#beganMs = this.#now();
    this.#pausedAtMs = this.#beganMs;
  }

  /** Time since the pass began. */
  get heldMs(): number {
    return this.#now() - this.#beganMs;
  }

  /** The earlier writes have been carried out again. */
  established(): void {
    this.#establishedMs = this.heldMs;
  }

  /** How long the pass waits for a next call while nobody waits for the pass: as long as another pass would take to come to this point. */
  get nearMs(): number {
    return Math.max(NEAR_MS, this.#establishedMs);
  }

  waited(ms: number): void {
    this.#idleMs += ms;
  }

  /** The time that counts for the budget of the run: since the first check, and without the waiting for calls. */
  get workedMs(): number {
    return this.#countsFromMs === null ? 0 : this.#now() - this.#countsFromMs - this.#idleMs;
  }

  /**
   * Whether the pass may go on with a further call. A pass in which the earlier writes took long may last longer while nobody waits, in
   * proportion, so that all passes together cost a multiple of the calls and not their square.
   */
  async isOver(isWaitedFor: () => Promise<boolean>): Promise<boolean> {
    const { dryRunHoldMs } = this.#limits.services.config;
    if (this.heldMs < dryRunHoldMs) return false;
    return this.heldMs >= LONGER * this.#establishedMs || isWaitedFor();
  }

  /** Called before each call and each write that is carried out again; throws if the run has used up its time, or the pass must end. */
  async check(): Promise<void> {
    const { services, runId, heldTimes } = this.#limits;
    const { dryRunTotalMs } = services.config;
    this.#countsFromMs ??= this.#now();
    if (heldTimes.of(runId) + this.workedMs > dryRunTotalMs) throw full('dry_run_time', `${dryRunTotalMs} ms for all of its calls`);
    await this.checkStatement();
  }

  /** Called before each statement; throws if others have waited long enough. */
  checkStatement(): Promise<void> | undefined {
    if (this.#now() - this.#pausedAtMs > PAUSE_EVERY_MS) return this.#pause();
    this.#requireSlot();
    return undefined;
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.#pausedAtMs = this.#now();
    this.#requireSlot();
  }

  #requireSlot(): void {
    const { store, config } = this.#limits.services;
    if (!this.mayOverrun && this.heldMs > config.dryRunHoldMs && store.waitingWrites() > 0) throw new SlotEnded();
  }
}

export function writerTimeSpent(holdMs: number): Refusal {
  return full('writer_time', `${holdMs} ms at a time while others wait to write`);
}

function full(budget: 'writer_time' | 'dry_run_time', limit: string): Refusal {
  return new Refusal('dry_run_full', `The plan of this dry run takes longer than its budget of ${limit}.`, { extra: { budget, limit } });
}
