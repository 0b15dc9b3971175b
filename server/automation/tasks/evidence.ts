import { createHash } from 'node:crypto';
import { z } from 'zod';
import { declaredOf } from '../../../contract/declared.ts';
import { Evidence } from '../../../contract/evidence.ts';
import { withoutTextsAboutPeople } from '../../../contract/personal-data.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { countsOf } from '../../values/counts.ts';
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
    if (run.undo_of_run_id !== null)
      throw new Refusal('evidence_not_of_version', `Run ${id} is the plan of an undo, which no version made.`);
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
  return {
    run_id: run.id,
    task_id: run.task_id,
    writes: effects.length,
    changes_by_kind: countsOf(effects.map(({ resource_type }) => resource_type)),
    permissions_used: await store.selectUsed(db, run.id),
    hides_people: run.hides_people === 1,
    plan_digest: digestOf(effects),
  };
}

/** The digest of the plan of the version's newest dry run; null: there is none. */
export async function newestPlanDigest(db: Db, versionId: number): Promise<string | null> {
  const id = await store.selectTry(db, versionId, 'newest');
  return id === undefined ? null : digestOf(await store.selectPlannedEffects(db, id));
}

/** Whether it is the dry run with which a proposal was made, and ended well: from then on the proposal waits for a person. */
export async function isProposed(db: Db, run: Pick<Row<'runs'>, 'id' | 'version_id' | 'dry_run'>): Promise<boolean> {
  return run.dry_run === 1 && (await store.selectTry(db, run.version_id, 'proposed')) === run.id;
}

/** What the dry run showed with which a proposal was made; nothing where it did not end well. */
export async function proposedEvidence(db: Db, versionId: number): Promise<Evidence[]> {
  return Promise.all((await proposedRuns(db, versionId)).map((run) => evidenceOf(db, run)));
}

/**
 * The newest dry run of a proposal that saw people, whose plan can be applied if it is the one that was proposed; `isAnother`: it is not. Texts
 * count unless people were hidden from the dry run with which it was made.
 */
export async function applicablePlan(db: Db, versionId: number): Promise<{ run_id: number | null; isAnother: boolean }> {
  const [proposed] = await proposedRuns(db, versionId);
  if (!proposed) return { run_id: null, isAnother: false };
  const seeing = await store.selectTry(db, versionId, 'newest that sees people');
  if (seeing === undefined || seeing === proposed.id) return { run_id: seeing ?? null, isAnother: false };
  const isAnother = !(await haveSamePlan(db, proposed, await store.selectTried(db, [seeing])));
  return { run_id: isAnother ? null : seeing, isAnother };
}

/** Names of the admins who started them are no difference. */
async function haveSamePlan(db: Db, proposed: store.TriedRow, others: readonly store.TriedRow[]): Promise<boolean> {
  const told = proposed.hides_people === 1 ? withoutTextsAboutPeople : undefined;
  const runs = [proposed, ...others];
  const starters = runs.flatMap(({ starter }) => starter ?? []);
  const texts = runs.map(async ({ id }) => {
    const text = planText(await store.selectPlannedEffects(db, id), told);
    return starters.reduce((all, starter) => all.replaceAll(JSON.stringify(starter), '"who acts"'), text);
  });
  return new Set(await Promise.all(texts)).size === 1;
}

async function proposedRuns(db: Db, versionId: number): Promise<store.TriedRow[]> {
  const id = await store.selectTry(db, versionId, 'proposed');
  return id === undefined ? [] : store.selectTried(db, [id]);
}

/** Texts about people do not count, because an agent's dry run may not have seen them. */
function digestOf(effects: readonly store.PlannedEffect[]): string {
  return createHash('sha256').update(planText(effects, withoutTextsAboutPeople)).digest('hex');
}

const TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** Ids and times that only the dry run had do not count. */
function planText(effects: readonly store.PlannedEffect[], told: (changes: z.output<typeof Changes>) => unknown = (all) => all): string {
  const list = effects.map(({ method, path, resource_type, changes }) => [
    method,
    path,
    resource_type,
    told(Changes.parse(JSON.parse(changes))),
  ]);
  return withoutStagedIds(JSON.stringify(list)).replaceAll(TIME, 'then');
}
