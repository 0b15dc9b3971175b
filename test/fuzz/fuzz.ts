import fc from 'fast-check';
import { checkStore } from '../../server/check-store.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { anySequence, type Step } from './any-call.ts';
import type { ModelStep } from './model/model.ts';
import { modelSequence, playModel } from './model/play-model.ts';
import { openShop } from './opening.ts';
import { playAny } from './play-any.ts';
import { Fault, openSession, type Session, type Tally } from './session.ts';

export type FuzzOptions = {
  engine: Engine;
  seed: number;
  sequences: number;
  /** The most calls of one sequence. */
  calls: number;
  /** Of a failure that was reported: goes to that sequence at once. */
  path?: string | undefined;
};
export type FuzzReport = { sequences: number; tally: Tally; failure: Failure | null };
export type Failure = { seed: number; path: string; message: string; calls: string[] };

/** A kind of sequences, and how one is played. */
export type Part<T> = { sequences: fc.Arbitrary<T>; play(session: Session, sequence: T): Promise<void> };

/** Sequences of at most `calls` calls: of any endpoint of the contract. */
export function parts(calls: number) {
  return {
    contract: {
      sequences: anySequence(calls),
      async play(session, steps) {
        await openShop(session);
        for (const step of steps) await playAny(session, step);
      },
    } satisfies Part<Step[]>,
    model: { sequences: modelSequence(calls), play: playModel } satisfies Part<ModelStep[]>,
  };
}

/** Plays random sequences of calls of all endpoints, each with a server and a store of its own. */
export function fuzzContract(options: FuzzOptions): Promise<FuzzReport> {
  const { sequences, play } = parts(options.calls).contract;
  return fuzz(options, sequences, play);
}

/** Plays random sequences until one breaks a rule, then looks for the shortest that does. */
export async function fuzz<T>(
  { engine, seed, sequences, path }: FuzzOptions,
  arbitrary: fc.Arbitrary<T>,
  play: (session: Session, sequence: T) => Promise<void>,
): Promise<FuzzReport> {
  const tally: Tally = new Map();
  const property = fc.asyncProperty(arbitrary, (sequence) => playAlone(engine, tally, (session) => play(session, sequence)));
  const details = await fc.check(property, { seed, numRuns: sequences, ...(path === undefined ? {} : { path }) });
  const { errorInstance: error } = details;
  if (!details.failed) return { sequences: details.numRuns, tally, failure: null };
  const calls = error instanceof SequenceFault ? error.calls : [];
  const message = error instanceof Error ? error.message : String(error);
  return { sequences: details.numRuns, tally, failure: { seed, path: details.counterexamplePath ?? '', message, calls } };
}

/** A fault with the calls that led to it. */
class SequenceFault extends Error {
  readonly calls: string[];

  constructor(cause: unknown, calls: string[]) {
    super(cause instanceof Error ? (cause instanceof Fault ? cause.message : (cause.stack ?? cause.message)) : String(cause), { cause });
    this.calls = calls;
  }
}

export async function playAlone(engine: Engine, tally: Tally, play: (session: Session) => Promise<void>): Promise<void> {
  const app = await startApp(engine, { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const session = openSession(app, tally);
  try {
    await play(session);
    await checkBooks(app);
  } catch (error) {
    throw new SequenceFault(error, session.trace);
  } finally {
    // A wrong answer was told already where it came.
    await app.close().catch(() => undefined);
  }
}

async function checkBooks({ store, filesDir }: TestApp): Promise<void> {
  for await (const { name, faults } of checkStore(store, { filesDir, filesS3: null })) {
    if (faults.length > 0) throw new Fault(`backroom db check: ${name}: ${faults.join('; ')}`);
  }
}
