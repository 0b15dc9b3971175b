import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

/** What is stored of a recorded run from its first epoch on; a lineage has no claim after those of its last run. */

type Run = Pick<Row<'runs'>, 'id' | 'lineage_id' | 'first_epoch'>;
export type Rows = Awaited<ReturnType<typeof selectRows>>;

const COMPARED = ['{"kind":"log"%', '{"kind":"result"%', '{"kind":"admin_api"%'];

/** The bytes of the stored texts, where compressed answers count as they are stored. */
export async function selectBytes(db: Db, { id, lineage_id, first_epoch }: Run): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT (SELECT coalesce(sum(coalesce(length(body), 0) + coalesce(length(answer), 0) + coalesce(length(answer_gzip), 0)), 0)
        FROM journal WHERE lineage_id = ${lineage_id} AND epoch >= ${first_epoch})
      + (SELECT coalesce(sum(length(value)), 0) FROM lineage_memory WHERE lineage_id = ${lineage_id})
      + (SELECT coalesce(sum(coalesce(length(checkpoint), 0)), 0) FROM recorded_epochs WHERE lineage_id = ${lineage_id} AND epoch >= ${first_epoch})
      + (SELECT coalesce(sum(length(label) + length(fields) + coalesce(length(answers), 0)), 0) FROM run_prompts WHERE lineage_id = ${lineage_id})
      + (SELECT coalesce(sum(length(line)), 0) FROM run_events WHERE run_id = ${id}) AS bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export async function selectBeginning(db: Db, lineageId: string): Promise<Pick<Row<'lineages'>, 'seed' | 'shop' | 'began_at'>> {
  return db.selectFrom('lineages').select(['seed', 'shop', 'began_at']).where('id', '=', lineageId).executeTakeFirstOrThrow();
}

export async function selectSourceHash(db: Db, versionId: number): Promise<string> {
  const version = db.selectFrom('task_versions').select('source_sha256').where('id', '=', versionId);
  return (await version.executeTakeFirstOrThrow()).source_sha256;
}

export async function selectRows(db: Db, { id, lineage_id: lineageId, first_epoch: first }: Run) {
  const claims = db.selectFrom('run_claims').select('id').where('run_id', '=', id);
  return {
    claims: await db.selectFrom('run_claims').select(['id', 'log_from', 'said']).where('run_id', '=', id).orderBy('id').execute(),
    epochs: await db
      .selectFrom('recorded_epochs')
      .select(['epoch', 'started_at', 'checkpoint', 'ended_by_claim_id', 'ended_log_lines'])
      .where('lineage_id', '=', lineageId)
      .where('epoch', '>=', first)
      .orderBy('epoch')
      .execute(),
    answers: await db
      .selectFrom('recorded_answers')
      .select(['claim_id', 'call', 'now_ms', 'again'])
      .where('claim_id', 'in', claims)
      .orderBy('claim_id')
      .orderBy('position')
      .execute(),
    calls: await db
      .selectFrom('journal')
      .select(['epoch', 'key', 'claim_id', 'asked_by_claim_id', 'is_write', 'passing', 'method', 'path', 'body'])
      .select(['status', 'etag', 'location', 'answer', 'answer_gzip', 'at'])
      .where('lineage_id', '=', lineageId)
      .where('epoch', '>=', first)
      .orderBy('epoch')
      .orderBy('at')
      .orderBy('key')
      .execute(),
    memory: await db
      .selectFrom('lineage_memory')
      .select(['name', 'value', 'made', 'claim_id', 'epoch'])
      .where('lineage_id', '=', lineageId)
      .orderBy('name')
      .execute(),
    prompts: await db
      .selectFrom('run_prompts')
      .select(['key', 'label', 'fields', 'answers', 'awaits', 'awaits_run_id', 'due_ms', 'created_at', 'asked_at', 'answered_at'])
      .where('lineage_id', '=', lineageId)
      .where('answered_at', 'is not', null)
      .orderBy('key')
      .execute(),
    results: await db
      .selectFrom('run_results')
      .select('key')
      .where('lineage_id', '=', lineageId)
      .where('run_id', '<', id)
      .orderBy('key')
      .execute(),
    artifacts: await db
      .selectFrom('artifacts')
      .select(['id', 'name', 'content_type', 'size_bytes', 'sha256'])
      .where('lineage_id', '=', lineageId)
      .orderBy('id')
      .execute(),
    log: await db
      .selectFrom('run_events')
      .select(['seq', 'line', 'source'])
      .where('run_id', '=', id)
      .where((is) => is.or([is('source', 'is', null), is('source', '<>', 'server')]))
      .where((is) => is.or(COMPARED.map((start) => is('line', 'like', start))))
      .orderBy('seq')
      .execute(),
  };
}
