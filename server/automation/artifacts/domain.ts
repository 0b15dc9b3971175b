import type { Artifact } from '../../../contract/artifacts.ts';
import type { At, Db } from '../../db/open.ts';
import type { Content, FileStore } from '../../providers/files/file-store.ts';
import { fileRequired, forgetStored, keepUpload } from '../../resources/storage/domain.ts';
import type { Actor, Ctx } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { UploadRule } from '../../verbs/route.ts';
import { requireReads } from '../runs/rows/output-permissions.ts';
import * as store from './store.ts';

export const recordVersions = {
  // An artifact never changes.
  artifact: async (db, { id, run_id, artifact_id }) =>
    (await store.selectArtifact(db, { taskId: Number(id), runId: Number(run_id), id: Number(artifact_id) })) ? 1 : null,
} satisfies RecordVersions;

export const artifactUpload: UploadRule = { counts: true, headBytes: 0 };

/**
 * Stores an artifact once for each name, content type and content of a lineage. A resumed run that writes the artifact again
 * gets the stored one.
 */
export async function writeArtifact(ctx: Ctx, files: FileStore): Promise<Artifact> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can write artifacts; use the token of a claim.');
  const { upload } = ctx.prepared;
  if (!upload) throw fileRequired();
  const { key, filename: name, contentType: content_type, sha256 } = upload;
  const content = { lineage_id: actor.lineageId, name, content_type, sha256 };
  const same =
    (await store.selectSame(ctx.db, content)) ??
    // A replay that writes a recorded artifact gets the recorded one. An artifact that differs is stored as the replay's own.
    (actor.replay ? await store.selectSame(ctx.db, { ...content, lineage_id: actor.replay.lineageId }) : undefined);
  if (same) {
    ctx.after(() => {
      files
        .remove(key)
        .catch((err: unknown) =>
          ctx.log.warn(
            { err, key },
            'the uploaded bytes of an artifact that is already stored could not be removed; the sweep of orphaned files removes them',
          ),
        );
    });
    return same;
  }
  const { sizeBytes } = await keepUpload(ctx);
  return store.insertArtifact(ctx.db, { ...content, run_id: actor.runId, size_bytes: sizeBytes, storage_key: key, created_at: ctx.now });
}

export async function listArtifacts(ctx: Ctx, runId: number): Promise<Artifact[]> {
  await requireReads(ctx.db, ctx.actor, runId);
  return store.selectArtifacts(ctx.db, runId);
}

export async function openArtifact(
  db: Db,
  files: FileStore,
  actor: Actor,
  place: store.Place,
): Promise<{ name: string; content_type: string; content: Content }> {
  const artifact = await store.selectArtifact(db, place);
  if (!artifact) throw notFound('artifact', place.id);
  await requireReads(db, actor, place.runId);
  const content = await files.open(artifact.storage_key);
  if (!content) throw new Refusal('not_found', `The content of artifact ${place.id} is not in the file store.`);
  return { name: artifact.name, content_type: artifact.content_type, content };
}

/** Deletes the artifacts of lineages whose last run is deleted. The sweep of orphaned files deletes their bytes later. */
export async function forgetArtifacts(at: At, lineageIds: readonly string[]): Promise<void> {
  await forgetStored(at, await store.deleteArtifacts(at.db, lineageIds));
}
