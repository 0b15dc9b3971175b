import { setImmediate } from 'node:timers/promises';
import type { UndoRow } from '../../../contract/undo.ts';
import { brokenConstraint } from '../../db/faults.ts';
import { rolledBack } from '../../db/queries/savepoint.ts';
import { readyCapture } from '../../db/row-capture.ts';
import type { Statement } from '../../db/watched.ts';
import type { Ctx, Steps } from '../../verbs/context.ts';
import { pauses } from './pauses.ts';
import { type Found, planRow, readWrite } from './plan.ts';

/** What others have written meanwhile leaves no room for what earlier turns took back. */
class Overtaken extends Error {}

/** How often a plan is begun; the last time, it gives way to nobody. */
const TRIES = 3;

/**
 * What would be done with these writes, the newest first. Each is looked at in a shop that has the newer ones as taken back, by carrying it
 * out; so it takes turns with other writers (spec UN5): a turn is a transaction that repeats what the turns before it took back, goes on as
 * long as that took, or as a dry run may hold the writer, and undoes all of it.
 */
export async function planInTurns(steps: Steps, writes: readonly Found[]): Promise<UndoRow[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await plan(steps, writes, attempt < TRIES);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

async function plan(steps: Steps, writes: readonly Found[], givesWay: boolean): Promise<UndoRow[]> {
  let rows: readonly UndoRow[] = [];
  let taken: readonly Statement[] = [];
  // SQLite's writer may be waited for by another process, too, which this one cannot see.
  const isWaitedFor = async ({ db, dialect }: Ctx): Promise<boolean> =>
    givesWay && (dialect.oneWriter || (await steps.services.store.isWaitedFor(db, 'anyone')));
  while (rows.length < writes.length) {
    const turn = await steps.step((ctx) => takeTurn(ctx, writes, { planned: rows.length, taken, isWaitedFor }));
    rows = [...rows, ...turn.rows];
    taken = [...taken, ...turn.taken];
    // A short turn ends without a pause, and others must be heard to write.
    await setImmediate();
    steps.log.debug({ planned: rows.length, of: writes.length }, 'a turn of the plan of an undo has ended');
  }
  return [...rows];
}

type Before = { planned: number; taken: readonly Statement[]; isWaitedFor(ctx: Ctx): Promise<boolean> };

async function takeTurn(ctx: Ctx, writes: readonly Found[], before: Before): Promise<{ rows: UndoRow[]; taken: Statement[] }> {
  const rows: UndoRow[] = [];
  const taken: Statement[] = [];
  const { dryRunHoldMs } = ctx.services.config;
  const pause = pauses();
  const work = async (): Promise<void> => {
    const beganMs = performance.now();
    await repeat(ctx, before.taken, pause);
    const repeatedMs = performance.now();
    let untilMs = repeatedMs + Math.max(dryRunHoldMs, repeatedMs - beganMs);
    for (const write of writes.slice(before.planned)) {
      rows.push(await planRow(ctx, await readWrite(ctx.db, write), { position: before.planned + rows.length + 1, taken }));
      await pause();
      if (performance.now() < untilMs) continue;
      if (await before.isWaitedFor(ctx)) return;
      untilMs = performance.now() + dryRunHoldMs;
    }
  };
  await readyCapture(ctx);
  await rolledBack(ctx.db, work, (error) => {
    throw error;
  });
  return { rows, taken };
}

async function repeat({ db }: Ctx, taken: readonly Statement[], pause: () => Promise<void>): Promise<void> {
  try {
    for (const query of taken) {
      await db.executeQuery(query);
      await pause();
    }
  } catch (error) {
    throw brokenConstraint(error) === null ? error : new Overtaken();
  }
}
