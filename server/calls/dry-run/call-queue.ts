import { AsyncLocalStorage } from 'node:async_hooks';
import type { TaskActor } from '../../verbs/context.ts';
import type { Answer, ScriptCall } from '../call.ts';
import type { WriterSlot } from './writer-slot.ts';

/** How long a pass waits for the next call of the script while others wait for the pass. */
const NEAR_WHILE_WAITED_FOR_MS = 5;

/** A call that waits for its answer. */
export type QueuedCall = {
  call: ScriptCall;
  /** Runs a function in the context of the call's own request, to which its traces belong. */
  within: <T>(work: () => T) => T;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/** The calls of one claim of a dry run, which are answered one after the other. */
export class CallQueue {
  readonly actor: TaskActor;
  readonly #calls: QueuedCall[] = [];
  #wake: () => void = () => undefined;
  #pass = Promise.withResolvers<void>();
  #isLookedAt = false;

  constructor(actor: TaskActor) {
    this.actor = actor;
  }

  push(call: ScriptCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ call, within: AsyncLocalStorage.snapshot(), resolve, reject });
      this.#wake();
    });
  }

  get first(): QueuedCall | undefined {
    return this.#calls[0];
  }

  /** Takes the first call out of the queue, because it is answered or refused. */
  shift(): void {
    this.#calls.shift();
  }

  /** Resolves when the present pass has stored its answers; it waits for no further call. */
  stored(): Promise<void> {
    this.#isLookedAt = true;
    this.#wake();
    return this.#pass.promise;
  }

  passEnded(): void {
    this.#pass.resolve();
    this.#pass = Promise.withResolvers();
    this.#isLookedAt = false;
  }

  /** The first call; waits for one while it may be near and the pass may go on. Undefined: the pass has to end. */
  async next(
    slot: WriterSlot,
    isWaitedFor: (by: 'others' | 'anyone') => Promise<boolean>,
    stopping: AbortSignal,
  ): Promise<QueuedCall | undefined> {
    for (let waitedMs = 0; !(await slot.isOver(() => isWaitedFor('others'))); ) {
      if (this.first) return this.first;
      if (stopping.aborted || this.#isLookedAt || waitedMs >= slot.nearMs) return undefined;
      if (waitedMs >= NEAR_WHILE_WAITED_FOR_MS && (await isWaitedFor('anyone'))) return undefined;
      const since = slot.heldMs;
      await this.#arrival();
      slot.waited(slot.heldMs - since);
      waitedMs += slot.heldMs - since;
    }
    return undefined;
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, NEAR_WHILE_WAITED_FOR_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
