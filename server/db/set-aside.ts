import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import type { Db, Store } from './open.ts';
import { clearProgress, readProgress, writeProgress } from './progress.ts';
import type { Database } from './tables.ts';

/**
 * Indexes are set aside while very many rows are written, and made again afterwards: far cheaper than row by row. What
 * is aside is noted in the database, so that whoever opens it next (`migrate`) finishes what a crash left.
 */

const SOURCE = 'set-aside';
const Aside = z.array(z.object({ name: z.string(), create: z.string() }));

export async function setIndexesAside({ dialect, write }: Store, tables: readonly (keyof Database)[]): Promise<void> {
  await write(async (tx) => {
    const aside = await readAside(tx, dialect);
    const indexes = await dialect.indexesOf(tx, tables);
    for (const { name } of indexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx);
    await writeProgress(tx, SOURCE, [...aside, ...indexes]);
  });
}

type Making = {
  /** Is told the name and how many of how many are done. */ onNext?: (name: string, share: number) => void;
  signal?: AbortSignal | undefined;
};

/** One after the other, a transaction each; a signal stops after the one that is being made. */
export async function makeIndexesAgain(store: Store, { onNext, signal }: Making = {}): Promise<void> {
  const all = await readAside(store.reader);
  for (const [i, { name }] of all.entries()) {
    // SQLite answers at once: without a pause no signal would ever arrive.
    await setImmediate();
    if (signal?.aborted) return;
    onNext?.(name, i / all.length);
    await store.write((tx) => makeNextAgain(tx, store.dialect));
  }
}

/** In the transaction of one who changes the schema. */
export async function makeAllAgain(tx: Db, dialect: Dialect): Promise<void> {
  while (await makeNextAgain(tx, dialect));
}

async function makeNextAgain(tx: Db, dialect: Dialect): Promise<boolean> {
  const [next, ...rest] = await readAside(tx, dialect);
  if (!next) return false;
  await sql.raw(next.create).execute(tx);
  if (rest.length > 0) await writeProgress(tx, SOURCE, rest);
  else await clearProgress(tx, SOURCE);
  return rest.length > 0;
}

async function readAside(db: Db, dialect?: Dialect): Promise<z.infer<typeof Aside>> {
  return Aside.parse((await readProgress(db, SOURCE, dialect)) ?? []);
}
