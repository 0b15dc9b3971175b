import fc from 'fast-check';
import { checkStore } from '../../server/check-store.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { anySequence } from './any-call.ts';
import { Fault } from './fault.ts';
import { modelSequence, playModel } from './model/play-model.ts';
import { openShop } from './opening.ts';
import { playAny } from './play-any.ts';
import { openSession, type Session, type Tally } from './session.ts';

/**
 * Plays random sequences of calls, each to a server with a store of its own. `contract`: any endpoints, with the rules that hold for all of
 * them. `model`: the endpoints of some resources, with a model that says what each call must do.
 */
export const partNames = ['contract', 'model'] as const;
export type PartName = (typeof partNames)[number];

export type FuzzOptions = {
  part: PartName;
  engine: Engine;
  seed: number;
  sequences: number;
  /** The most calls of one sequence, without those that only look. */
  calls: number;
  /** Of a failure that was reported: plays that sequence at once. */
  path?: string | undefined;
  /** For so long at most; without it, as long as it takes. */
  limitMs?: number;
};
/** `calls`: the shortest sequence that was found to break a rule, a line for each call. */
export type Failure = { seed: number; path: string; message: string; calls: string[] };
export type FuzzReport = { sequences: number; tally: Tally; failure: Failure | null };

/** Plays sequences until one breaks a rule, then looks for the shortest that does. The same options play the same sequences. */
export async function fuzz({ part, engine, seed, sequences, calls, path, limitMs }: FuzzOptions): Promise<FuzzReport> {
  const tally: Tally = new Map();
  const property = propertyOf(part, calls, (play) => playAlone(engine, tally, play));
  const details = await fc.check<[unknown]>(property, {
    seed,
    numRuns: sequences,
    ...(path !== undefined && { path }),
    ...(limitMs !== undefined && { interruptAfterTimeLimit: limitMs }),
  });
  const { errorInstance: error } = details;
  if (!details.failed) return { sequences: details.numRuns, tally, failure: null };
  const told = error instanceof SequenceFault ? error.calls : [];
  const message = error instanceof Error ? error.message : String(error);
  return { sequences: details.numRuns, tally, failure: { seed, path: details.counterexamplePath ?? '', message, calls: told } };
}

type Alone = (play: (session: Session) => Promise<void>) => Promise<void>;

function propertyOf(part: PartName, calls: number, alone: Alone): fc.IAsyncProperty<[unknown]> {
  if (part === 'model') return fc.asyncProperty(modelSequence(calls), (steps) => alone((session) => playModel(session, steps)));
  return fc.asyncProperty(anySequence(calls), (steps) =>
    alone(async (session) => {
      await openShop(session);
      for (const step of steps) await playAny(session, step);
    }),
  );
}

/** A fault with the calls that led to it. */
class SequenceFault extends Error {
  readonly calls: string[];

  constructor(cause: unknown, calls: string[]) {
    super(cause instanceof Fault ? cause.message : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause), { cause });
    this.calls = calls;
  }
}

async function playAlone(engine: Engine, tally: Tally, play: (session: Session) => Promise<void>): Promise<void> {
  const app = await startApp(engine, { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const session = openSession(app, tally);
  try {
    await play(session);
    await checkBooks(app);
    app.checkSeen();
  } catch (error) {
    throw new SequenceFault(error, session.trace);
  } finally {
    // A wrong answer was told already.
    await app.close().catch(() => undefined);
  }
}

/** What `backroom db check` checks is true after each sequence. */
async function checkBooks({ store, filesDir }: TestApp): Promise<void> {
  for await (const { name, faults } of checkStore(store, { filesDir, filesS3: null })) {
    if (faults.length > 0) throw new Fault(`backroom db check: ${name}: ${faults.join('; ')}`);
  }
}

/** A failure as people read it, with the command that plays it again. */
export function textOf({ seed, path, message, calls }: Failure, { part, engine, calls: most }: FuzzOptions): string {
  const command = `npm run fuzz -- --part ${part} --engine ${engine} --seed ${seed} --calls ${most} --path ${path}`;
  return [message, '', 'The shortest sequence that was found to do so:', ...calls.map((call) => `  ${call}`), '', `Again: ${command}`].join(
    '\n',
  );
}
