import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import type { At, Db, Store } from './open.ts';
import { clearProgress, readProgress, writeProgress } from './progress.ts';

/**
 * During a bulk write, indexes are dropped and created again afterwards, which is far cheaper than updating them row by row. The dropped
 * indexes are stored in the database, so that `migrate` creates them again if the load crashed.
 */

/** The key of the dropped indexes in the table `imports`. */
export const SET_ASIDE = 'set-aside';
const Aside = z.array(z.object({ name: z.string(), create: z.string() }));

export async function setIndexesAside({ dialect, write }: Store, tables: readonly string[]): Promise<void> {
  await write(async (tx) => {
    const aside = await readAside(tx, dialect);
    const indexes = await dialect.indexesOf(tx, tables);
    for (const { name } of indexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx);
    await writeProgress(tx, SET_ASIDE, [...aside, ...indexes]);
  });
}

type Making = {
  /** Called with the name of the next index and the share that is done, from 0 to 1. */
  onNext?: (name: string, share: number) => void;
  signal?: AbortSignal | undefined;
};

/** Creates the dropped indexes again, each in a transaction of its own; an aborted signal stops after the present one. */
export async function makeIndexesAgain(store: Store, { onNext, signal }: Making = {}): Promise<void> {
  const all = await readAside(store.reader);
  for (const [i, { name }] of all.entries()) {
    // SQLite runs synchronously, so without this pause no signal could ever arrive.
    await setImmediate();
    if (signal?.aborted) return;
    onNext?.(name, i / all.length);
    await store.write((tx) => makeNextAgain({ db: tx, dialect: store.dialect }));
  }
}

/** Creates all dropped indexes again, in the transaction of a schema change. */
export async function makeAllAgain({ db: tx, dialect }: At): Promise<void> {
  while (await makeNextAgain({ db: tx, dialect }));
}

async function makeNextAgain({ db: tx, dialect }: At): Promise<boolean> {
  const [next, ...rest] = await readAside(tx, dialect);
  if (!next) return false;
  await sql.raw(next.create).execute(tx);
  if (rest.length > 0) await writeProgress(tx, SET_ASIDE, rest);
  else await clearProgress(tx, SET_ASIDE);
  return rest.length > 0;
}

async function readAside(db: Db, dialect?: Dialect): Promise<z.infer<typeof Aside>> {
  return Aside.parse((await readProgress(db, SET_ASIDE, dialect)) ?? []);
}
