import type { Artifact } from '../../../contract/artifacts.ts';
import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type ArtifactRow = Row<'artifacts'>;
export type Place = { taskId: number; runId: number; id: number };
export type Content = Pick<ArtifactRow, 'lineage_id' | 'name' | 'content_type' | 'sha256'>;

export async function selectSame(db: Db, { lineage_id, name, content_type, sha256 }: Content): Promise<Artifact | null> {
  const row = await db
    .selectFrom('artifacts')
    .selectAll()
    .where('lineage_id', '=', lineage_id)
    .where('name', '=', name)
    .where('content_type', '=', content_type)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row ? toArtifact(row) : null;
}

export async function insertArtifact(db: Db, row: NewRow<'artifacts'>): Promise<Artifact> {
  return toArtifact(await db.insertInto('artifacts').values(row).returningAll().executeTakeFirstOrThrow());
}

/** The artifacts of the run and of the earlier runs that it continues, oldest first. */
export async function selectArtifacts(db: Db, runId: number): Promise<Artifact[]> {
  const rows = await ofRun(db, runId).orderBy('a.id').execute();
  return rows.map(toArtifact);
}

export async function selectArtifact(db: Db, { taskId, runId, id }: Place): Promise<ArtifactRow | null> {
  return (await ofRun(db, runId).where('r.task_id', '=', taskId).where('a.id', '=', id).executeTakeFirst()) ?? null;
}

/** Deletes the artifacts of these lineages and returns the storage keys of their bytes. */
export async function deleteArtifacts(db: Db, lineageIds: readonly string[]): Promise<string[]> {
  const rows = await db.deleteFrom('artifacts').where('lineage_id', 'in', lineageIds).returning('storage_key').execute();
  return rows.map(({ storage_key }) => storage_key);
}

/**
 * Joins a run with its lineage's artifacts. Runs of a lineage continue one another in the order of their ids, so artifacts of
 * later runs are left out.
 */
function ofRun(db: Db, runId: number) {
  return db
    .selectFrom('runs as r')
    .innerJoin('artifacts as a', (join) => join.onRef('a.lineage_id', '=', 'r.lineage_id').onRef('a.run_id', '<=', 'r.id'))
    .selectAll('a')
    .where('r.id', '=', runId);
}

function toArtifact({ id, name, content_type, size_bytes, sha256, created_at }: ArtifactRow): Artifact {
  return { id, name, content_type, size_bytes, sha256, created_at };
}
