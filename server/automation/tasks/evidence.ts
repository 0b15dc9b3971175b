import { createHash } from 'node:crypto';
import { z } from 'zod';
import { declaredOf } from '../../../contract/declared.ts';
import { withoutTextsAboutPeople } from '../../../contract/personal-data.ts';
import { Evidence } from '../../../contract/tasks.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { withoutStagedIds } from '../../values/staged-range.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { declaredIn } from '../grants/rules.ts';
import { columnsOf, type Source } from './columns.ts';
import * as store from './evidence-store.ts';

/** Dry runs that were handed in with a version, as a part of it (spec MC5). */

const List = z.array(Evidence);
const Changes = z.record(z.string(), z.unknown());

export function evidenceIn({ evidence }: Pick<Row<'task_versions'>, 'evidence'>): Evidence[] {
  return evidence === null ? [] : List.parse(JSON.parse(evidence));
}

/** Takes what these dry runs showed. Each must be the acting admin's, have ended well, and be of exactly this version. */
export async function acceptEvidence(ctx: Pick<Ctx, 'db' | 'actor'>, version: Source, runIds: readonly number[]): Promise<Evidence[]> {
  const { adminId } = actingAdmin(ctx);
  const found = new Map((await store.selectTried(ctx.db, runIds)).map((row) => [row.id, row]));
  const columns = columnsOf(version);
  const list: Evidence[] = [];
  for (const id of new Set(runIds)) {
    const run = found.get(id);
    if (run?.dry_run !== 1 || run.started_by_admin_id !== adminId)
      throw new Refusal('evidence_not_of_version', `Run ${id} is no dry run of yours.`);
    if (run.status !== 'success')
      throw new Refusal('evidence_not_of_version', `Dry run ${id} is ${run.status}; evidence has to be success.`);
    const other = differenceOf(run, version, columns);
    if (other !== null) throw new Refusal('evidence_not_of_version', `Dry run ${id} had other ${other} than this version.`);
    list.push(await evidenceOf(ctx.db, run));
  }
  return list;
}

function differenceOf(run: store.TriedRow, version: Source, { source_sha256, parameters }: ReturnType<typeof columnsOf>): string | null {
  if (run.source_sha256 !== source_sha256) return 'source';
  const [ran, wanted] = [new Set(declaredIn(run)), new Set(declaredOf(version))];
  if (ran.size !== wanted.size || [...ran].some((one) => !wanted.has(one))) return 'permissions or grants';
  return run.parameters === parameters ? null : 'parameters';
}

async function evidenceOf(db: Db, run: store.TriedRow): Promise<Evidence> {
  const effects = await store.selectPlannedEffects(db, run.id);
  const byKind: Record<string, number> = {};
  for (const { resource_type: type } of effects) byKind[type] = (byKind[type] ?? 0) + 1;
  return {
    run_id: run.id,
    task_id: run.task_id,
    writes: effects.length,
    changes_by_kind: byKind,
    permissions_used: await store.selectUsed(db, run.id),
    hides_people: run.hides_people === 1,
    plan_digest: digestOf(effects),
  };
}

/** The digest of the plan of the version's newest dry run; null: there is none. */
export async function newestPlanDigest(db: Db, versionId: number): Promise<string | null> {
  const id = await store.selectNewestTry(db, versionId);
  return id === undefined ? null : digestOf(await store.selectPlannedEffects(db, id));
}

const TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** Ids and times that only the dry run had do not count, and neither do texts about people, which an agent's dry run may not have seen. */
function digestOf(effects: readonly store.PlannedEffect[]): string {
  const told = effects.map(({ method, path, resource_type, changes }) => [
    method,
    path,
    resource_type,
    withoutTextsAboutPeople(Changes.parse(JSON.parse(changes))),
  ]);
  const text = withoutStagedIds(JSON.stringify(told)).replaceAll(TIME, 'then');
  return createHash('sha256').update(text).digest('hex');
}
