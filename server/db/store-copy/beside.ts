import { sql } from 'kysely';
import type { At } from '../open.ts';

/** What belongs to a store and is not in its rows: the bytes of its files, and the key that opens its secrets. */
export type Beside = { files: number; bytes: number; secrets: number };

export async function readBeside({ db }: At): Promise<Beside> {
  const { rows } = await sql<Beside>`
    SELECT (SELECT count(*) FROM stored_objects) AS files,
      (SELECT CAST(coalesce(sum(size_bytes), 0) AS bigint) FROM stored_objects) AS bytes,
      (SELECT count(*) FROM task_secrets) + (SELECT count(*) FROM hooks WHERE verify_secret IS NOT NULL) AS secrets`.execute(db);
  return rows[0] ?? { files: 0, bytes: 0, secrets: 0 };
}
