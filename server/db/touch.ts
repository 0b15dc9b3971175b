import { sql } from 'kysely';
import type { Db } from './open.ts';

/** A write that changes nothing, to check whether the store accepts writes. */
export async function touch(db: Db): Promise<void> {
  await sql`UPDATE settings SET value = value WHERE key = ''`.execute(db);
}
