import { createHash, randomBytes } from 'node:crypto';
import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { JsonObject } from '../../../../contract/run-events.ts';
import { ShopFacts } from '../../../../contract/runner.ts';
import type { TaskSettings } from '../../../../contract/tasks.ts';
import type { Row } from '../../../db/tables.ts';
import { canonicalText } from '../../../values/canonical.ts';
import { agentTokenOf, type Ctx, isBlind } from '../../../verbs/context.ts';
import { Refusal, refuseValue } from '../../../verbs/problem.ts';
import { contentOfHook, READS_HOOK_CONTENT } from '../../grants/read-permissions.ts';
import { acceptAgain, acceptParameters, askingGiver, type Giver } from '../../parameters/domain.ts';
import { recordEpochStart } from '../../recordings/domain.ts';
import { draftsTask, lockTask, requireAliveTask, settingsOf } from '../../tasks/domain.ts';
import type { HeldVersion } from '../../tasks/executed.ts';
import { requireMayBeGiven } from '../../tasks/given.ts';
import { appendLines } from '../log/log.ts';
import { beginLineage, copyDetails, insertRun } from '../rows/domain.ts';
import * as lineages from '../rows/lineage-store.ts';
import { joinedPermissions, permissionsOfRun, requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import { chooseAgain, chooseVersion } from './chosen-version.ts';

type Input = InputOf<Endpoints['ai_tasks.start_run']>;
type Body = Input['body'];

/**
 * What opens a run (`admin:<id>`, `schedule:<id>`, `trigger:<id>`, `hook:<id>`, `handler:<run id>` or `run:<run id>`), and the admin to
 * whom the run's writes are attributed. `parent`: the run whose script starts it, the number of runs above that one, and what
 * its parameters may tell of, if that is not what the run may tell now. `parametersOf`:
 * the run that had the same parameters. `contentOf`: the hook whose parameter holds what was sent to it.
 */
export type Origin = Giver & {
  startedBy: string;
  parent?: { runId: number; depth: number; permissions?: readonly string[] };
  parametersOf?: Pick<store.RunRow, 'id' | 'foreign_parameters'>;
  contentOf?: number;
  /** When no runner takes the run any more, by the database's clock. */
  startByMs?: number | null;
};

export async function startRun(ctx: Ctx, { params, body }: Input): Promise<{ run_id: number; version_id: number }> {
  // What follows, and `chosen-version.ts`, uses each of these.
  const { parameters, version_id, draft, resume_run_id, version, journal, dry_run, executor, record, priority, ...rest } = body;
  rest satisfies Record<string, never>;
  if (ctx.actor.type === 'admin' && ctx.actor.agent && (dry_run !== true || resume_run_id))
    throw new Refusal('forbidden', 'An agent starts dry runs alone ("dry_run": true, without resume_run_id); a person starts the others.');
  const giver = askingGiver(ctx);
  return openRun(ctx, params.id, body, { startedBy: `admin:${giver.adminId}`, ...giver });
}

/** Starts a dry run of a draft that has no task yet. */
export async function tryDraft(
  ctx: Ctx,
  { body }: InputOf<Endpoints['ai_tasks.try_draft']>,
): Promise<{ task_id: number; run_id: number; version_id: number }> {
  const { draft, parameters, ...rest } = body;
  rest satisfies Record<string, never>;
  const giver = askingGiver(ctx);
  const task_id = await draftsTask(ctx);
  const asked = { draft, parameters, dry_run: true, record: false, priority: 0 };
  return { task_id, ...(await openRun(ctx, task_id, asked, { startedBy: `admin:${giver.adminId}`, ...giver })) };
}

/** Opens a run, which is `running` at once (spec C4), or resumes an interrupted one (spec RU2). */
export async function openRun(ctx: Ctx, taskId: number, body: Body, origin: Origin): Promise<{ run_id: number; version_id: number }> {
  const task = await requireAliveTask(ctx.db, taskId);
  const settings = settingsOf(task);
  if (settings.concurrency.limit !== null) await lockTask(ctx, task.id);
  const opened = body.resume_run_id
    ? await resume(ctx, task, settings, body, body.resume_run_id, origin)
    : await open(ctx, task, settings, body, origin);
  ctx.after(() => ctx.services.work.opened());
  return opened;
}

async function open(ctx: Ctx, task: Row<'tasks'>, settings: TaskSettings, body: Body, origin: Origin) {
  const version = await chooseVersion(ctx, task, body);
  const parameters = await acceptParameters(ctx, version.parameters, body.parameters, origin);
  const { parent, parametersOf, contentOf } = origin;
  const taker = { taskId: task.id, versionId: version.id };
  if (parent) {
    const what = `The parameters that run ${parent.runId} gives`;
    await requireMayBeGiven(
      ctx.db,
      taker,
      parent.permissions ?? (await permissionsOfRun(ctx.db, parent.runId)),
      what,
      'task_start_not_allowed',
    );
  }
  if (contentOf !== undefined) await requireMayBeGiven(ctx.db, taker, READS_HOOK_CONTENT, 'What a hook is sent');
  const given = [...version.permissions, ...(contentOf === undefined ? [] : [contentOfHook(contentOf)]), ...(parent?.permissions ?? [])];
  const givenBy = parent?.permissions ? undefined : (parent?.runId ?? parametersOf?.id);
  const lineageId = await beginLineage(ctx.db, {
    seed: randomBytes(32).toString('hex'),
    epoch: 0,
    startedAt: ctx.now,
    // The parameters may contain whatever could be read by the script that chose them.
    permissions: givenBy === undefined ? JSON.stringify([...new Set(given)]) : await joinedPermissions(ctx.db, given, givenBy),
    depth: parent ? parent.depth + 1 : 0,
    shop: JSON.stringify(ShopFacts.parse(ctx.settings)),
    began_at: ctx.now,
  });
  const lineage = { id: lineageId, epoch: 0, epoch_started_at: ctx.now };
  const isForeign = parent !== undefined || contentOf !== undefined || parametersOf?.foreign_parameters === 1;
  return insertOpened(ctx, task, settings, body, { lineage, version, parameters, isForeign, checkpoint: null, from: null, origin });
}

async function resume(ctx: Ctx, task: Row<'tasks'>, settings: TaskSettings, body: Body, fromId: number, origin: Origin) {
  const from = await store.lockRun(ctx.db, fromId);
  if (!from || from.task_id !== task.id) throw refuseValue('run_not_found', '/resume_run_id', `task ${task.id} has no run ${fromId}`);
  if (from.status === 'resumed') throw new Refusal('already_resumed', `Run ${fromId} was resumed by run ${from.resumed_by_run_id}.`);
  if (from.status !== 'interrupted')
    throw new Refusal('not_interrupted', `Run ${fromId} is ${from.status}; only an interrupted run can be resumed.`);
  if (from.replay_of_run_id !== null)
    throw new Refusal('not_interrupted', `Run ${fromId} is a replay, which cannot be resumed; start another replay instead.`);
  const lineage = await lineages.lockLineage(ctx.db, from.lineage_id);
  if (!lineage || lineage.seed === '') throw new Refusal('journal_expired', `The journal of run ${fromId} is no longer kept.`);
  const version = await chooseAgain(ctx, task, body, from);
  // The other version's code gets the earlier run's checkpoint and stored values, and could show them to anybody or send them on.
  if (version.id !== from.version_id) {
    await requireReads(ctx.db, ctx.actor, fromId);
    const taker = { taskId: task.id, versionId: version.id };
    await requireMayBeGiven(ctx.db, taker, await permissionsOfRun(ctx.db, fromId), `What run ${fromId} has stored`);
  }
  const isSame = Object.keys(body.parameters).length === 0;
  const parameters = isSame
    ? await acceptAgain(ctx, version.parameters, JsonObject.parse(JSON.parse(from.parameters)), origin)
    : await acceptParameters(ctx, version.parameters, body.parameters, origin);
  const drop = body.journal === 'drop' || (body.version === 'current' && version.id !== from.version_id);
  if (drop) {
    await lineages.deleteJournal(ctx.db, lineage.id, lineage.epoch);
    await lineages.resetJournalBytes(ctx.db, lineage.id);
    await lineages.forgetHowMade(ctx.db, lineage.id);
  }
  const opened = await insertOpened(ctx, task, settings, body, {
    lineage,
    version,
    parameters,
    isForeign: isSame && from.foreign_parameters === 1,
    checkpoint: from.last_checkpoint,
    from,
    origin,
  });
  await store.updateRun(ctx.db, fromId, { status: 'resumed', resumed_by_run_id: opened.run_id });
  await lineages.resetRunBudgets(ctx.db, lineage.id);
  await lineages.updatePermissions(ctx.db, lineage.id, await joinedPermissions(ctx.db, version.permissions, fromId));
  const lines = [`resumed from run ${fromId} at checkpoint ${lineage.epoch}`];
  if (drop) lines.push('the answers noted since that checkpoint were dropped');
  await sayFirst(ctx, opened.run_id, lines);
  return opened;
}

/** Writes the first lines of a new run's log. */
export async function sayFirst(ctx: Ctx, runId: number, lines: readonly string[]): Promise<void> {
  const log = await appendLines(
    ctx,
    { id: runId, log_lines: 0, log_bytes: 0, log_calls: 0 },
    lines.map((line) => ({ kind: 'log', line })),
    { source: 'server' },
  );
  await store.updateRun(ctx.db, runId, log);
}

type Opening = {
  lineage: Pick<Row<'lineages'>, 'id' | 'epoch' | 'epoch_started_at'>;
  version: HeldVersion;
  parameters: JsonObject;
  /** Whether a script or another system has chosen the parameters. */
  isForeign: boolean;
  checkpoint: string | null;
  /** The run that this one resumes. */
  from: store.RunRow | null;
  /** The run from whose checkpoint this one starts again. */
  restarts?: { run: store.RunRow; checkpoint: number };
  origin: Origin;
};

type Asked = Pick<Body, 'dry_run' | 'executor' | 'record' | 'priority'>;

export async function insertOpened(ctx: Ctx, task: Row<'tasks'>, settings: TaskSettings, body: Asked, opening: Opening) {
  const isDry = dryRunOf(body, opening.from);
  if (opening.version.isPaused && !isDry) throw paused(opening.version);
  const { limit, key, overflow } = settings.concurrency;
  const keyValue = key === null ? null : keyOf(opening.parameters, key);
  if (limit !== null && overflow === 'skip' && (await store.countRunning(ctx.db, task.id, keyValue)) >= limit) {
    throw new Refusal(
      'concurrency_limit',
      `Task ${task.id} already has ${limit} open ${limit === 1 ? 'run' : 'runs'}${key === null ? '' : ` with this "${key}"`}.`,
    );
  }
  // A recording is useful only as a whole, so a run that resumes a recorded one is recorded too.
  const { lineage, version, restarts } = opening;
  const record = body.record || opening.from?.record === 1 ? 1 : 0;
  const executor = isDry ? 'runner' : (body.executor ?? ctx.settings.default_executor);
  const runId = await insertRun(ctx, {
    task_id: task.id,
    version_id: version.id,
    lineage_id: lineage.id,
    first_epoch: lineage.epoch,
    parameters: JSON.stringify(opening.parameters),
    foreign_parameters: opening.isForeign ? 1 : 0,
    last_checkpoint: opening.checkpoint,
    description: opening.from?.description ?? null,
    dry_run: isDry ? 1 : 0,
    record,
    priority: body.priority,
    executor,
    hides_people: (opening.from ?? restarts?.run)?.hides_people ?? (isBlind(ctx.actor) ? 1 : 0),
    agent_token_id: agentTokenOf(ctx.actor),
    resumed_from_run_id: opening.from?.id ?? null,
    restarted_from_run_id: restarts?.run.id ?? null,
    restarted_from_epoch: restarts?.checkpoint ?? null,
    started_by: opening.origin.startedBy,
    started_by_admin_id: opening.origin.adminId,
    concurrency_key: keyValue,
    concurrency_limit: limit,
    start_by_ms: executor === 'runner' ? (opening.origin.startByMs ?? null) : null,
  });
  if (opening.from) await copyDetails(ctx.db, opening.from.id, runId);
  if (executor === 'external') await store.noteClient(ctx.db, runId);
  const recorded = { lineage_id: lineage.id, record, replay_of_run_id: null };
  await recordEpochStart(ctx.db, recorded, lineage.epoch, lineage.epoch_started_at, opening.checkpoint);
  ctx.audit({
    resource: { type: 'run', id: runId },
    changes: {
      status: [null, 'running'],
      ...(opening.from ? { resumed_from_run_id: [null, opening.from.id] } : {}),
      ...(restarts ? { restarted_from: [null, { run_id: restarts.run.id, checkpoint: restarts.checkpoint }] } : {}),
      // Nobody has approved these permissions.
      ...(version.state === 'approved' ? {} : { approval: [null, version.state], permissions: [null, [...version.permissions]] }),
    },
    ...(opening.origin.parent ? { shown: { task_id: [null, task.id], parameters: [null, opening.parameters] } } : {}),
    summary: `Task "${task.name}": run ${runId}${version.state === 'draft' ? ' of a draft' : ''} ${howOpened(opening)}`,
  });
  return { run_id: runId, version_id: version.id };
}

function howOpened({ from, restarts }: Opening): string {
  if (restarts) return `restarts from checkpoint ${restarts.checkpoint} of run ${restarts.run.id}`;
  return from ? `resumes run ${from.id}` : 'opened';
}

function paused({ version }: HeldVersion): Refusal {
  const detail = `Version ${version} did worse in its trial than the version before it. Until somebody revokes it or lets it go on, it only runs dry.`;
  return new Refusal('task_paused', detail);
}

/**
 * Whether this is a dry run. A client cannot drive a dry run, because only a runner's calls can be carried out and rolled
 * back (spec DR6).
 */
function dryRunOf(body: Asked, from: store.RunRow | null): boolean {
  const isDry = from ? from.dry_run === 1 : body.dry_run === true;
  if (from && body.dry_run !== undefined && body.dry_run !== isDry) {
    throw refuseValue(
      'invalid_value',
      '/dry_run',
      `run ${from.id} is ${isDry ? 'a dry run' : 'not a dry run'}, and a run that resumes it must be the same; leave dry_run out`,
    );
  }
  if (isDry && body.executor === 'external') {
    throw refuseValue('invalid_value', '/executor', 'a dry run must be carried out by a runner, so "external" is not accepted');
  }
  return isDry;
}

const KEY_MAX_CHARACTERS = 200;

/**
 * The concurrency key: the text of the parameter by which runs share a limit. A long text is replaced by its hash, because
 * the column is in an index.
 */
export function keyOf(parameters: JsonObject, name: string): string {
  const text = canonicalText((Object.hasOwn(parameters, name) ? parameters[name] : null) ?? null);
  return text.length <= KEY_MAX_CHARACTERS ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
