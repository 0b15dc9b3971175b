import type { InputOf, ResponseOf } from '../../../contract/endpoint.ts';
import { isEventType, readOfEvent } from '../../../contract/events.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import { HOOK_EVENT, namedEvent, SIGNAL_EVENT, WAITS_MAX } from '../../../contract/wait-rules.ts';
import type { RunWait } from '../../../contract/waits.ts';
import { presentCursor } from '../../db/queries/change-cursors.ts';
import { type Ctx, may, type ReplaySource, type TaskActor } from '../../verbs/context.ts';
import { Refusal, refusePermission, refuseValue, refuseValues } from '../../verbs/problem.ts';
import { awaitedHook } from '../hooks/domain.ts';
import { requireEpoch } from '../run-prompts/domain.ts';
import { noteInLog } from '../runs/life/waiting.ts';
import { storedSleep } from '../runs/log/memory.ts';
import { lockRun } from '../runs/rows/domain.ts';
import { learnContents, requireReads } from '../runs/rows/output-permissions.ts';
import { foundBy } from '../trigger-queue/waits.ts';
import { filterErrors } from '../triggers/rules.ts';
import { findEvent } from './looking-back.ts';
import { idIn, shownEvent, valueIn } from './rules.ts';
import { keyOf, takeKept } from './signals.ts';
import * as store from './store.ts';

type Body = InputOf<Endpoints['runner.wait']>['body'];
/** A signal without a key is stored with an empty one. */
const named = (body: Body): Body => (body.event === 'signal' ? { ...body, event: SIGNAL_EVENT } : body);
type Waited = ResponseOf<Endpoints['runner.wait']>;

/** Begins to wait, once for each key of the lineage, or tells what has come of it. A resumed run finds the wait, and its answer. */
export async function wait(ctx: Ctx, { body }: InputOf<Endpoints['runner.wait']>): Promise<Waited> {
  const { actor } = ctx;
  if (actor.type !== 'task') throw new Refusal('forbidden', 'Only a run can wait; use the token of a claim.');
  if (actor.replay) return recorded(ctx, actor.replay, body);
  await lockRun(ctx.db, actor.runId);
  // A timer may be of an epoch that has ended meanwhile.
  const known = await store.lockWait(ctx.db, { lineageId: actor.lineageId, key: body.key });
  if (known) return lookAgain(ctx, actor, known);
  await requireEpoch(ctx.db, actor, body.key);
  await store.endLeft(ctx.db, { ...actor, epoch: Number(body.key.split('/')[0]), at: ctx.now });
  if ((await store.countOpen(ctx.db, actor.lineageId)) >= WAITS_MAX)
    throw refuseValue('out_of_range', '/key', `a run may wait for at most ${WAITS_MAX} events and times at once`);
  return toWaited(await begin(ctx, actor, named(body)), false);
}

async function lookAgain(ctx: Ctx, actor: TaskActor, known: store.WaitRow): Promise<Waited> {
  const { claimId } = actor;
  const again = known.asked_by_claim_id !== claimId;
  if (again || known.asked_by_run_id !== actor.runId) await store.takeOver(ctx.db, known.id, actor);
  if (known.answered_at !== null || known.left_ms > 0) return toWaited(known, again);
  // Its time is up, and no server has noticed yet.
  await store.endWait(ctx.db, known.id, { answers: 'null', at: ctx.now, claimId });
  return toWaited({ ...known, answers: 'null', answered_at: ctx.now }, again);
}

async function begin(ctx: Ctx, actor: TaskActor, body: Body): Promise<store.WaitRow> {
  const found = body.event === undefined ? null : await awaited(ctx, actor, { ...body, event: body.event });
  // Nothing that happens meanwhile is an event of the dry run, so the script says what is to come, or the time is up.
  const answers = actor.dryRun ? JSON.stringify(body.sample ?? null) : null;
  const row = await store.insertWait(ctx.db, {
    ...{ lineage_id: actor.lineageId, key: body.key, asked_by_run_id: actor.runId, asked_by_claim_id: actor.claimId, asked_at: ctx.now },
    ...{ label: body.event ?? '', awaits: body.event ?? 'sleep', match: found && JSON.stringify(body.match), found_by: found },
    answers,
    open_writes: found === null || answers !== null ? null : await openWrites(ctx, body.event),
    lastsMs: body.timeout_ms,
    endsAtMs: found === null ? await storedSleep(ctx.db, actor.lineageId, body.key) : null,
  });
  if (!row) throw new Error('an insert gave no row');
  ctx.after(() => ctx.services.waits.fire());
  if (body.event === undefined || answers !== null) return row;
  const past = body.event.startsWith(SIGNAL_EVENT)
    ? await keptSignal(ctx, actor, body.event)
    : body.since === 'start'
      ? await lookBack(ctx, actor, body)
      : null;
  if (past !== null) await store.endWait(ctx.db, row.id, { answers: past, at: ctx.now, claimId: actor.claimId });
  else await noteInLog(ctx, actor.runId, `waits for ${namedEvent(body.event)} until ${untilOf(row)}`);
  return past === null ? row : { ...row, answers: past, answered_at: ctx.now };
}

/** Checks what is waited for, and returns by what the wait is found. */
async function awaited(ctx: Ctx, actor: TaskActor, { event, match, since }: Body & { event: string }): Promise<string> {
  if (event.startsWith(HOOK_EVENT)) {
    if (since !== undefined)
      throw refuseValue('invalid_value', '/since', 'requests to a hook are not kept, so they count from the call on');
    const { id, content } = await awaitedHook(ctx, actor, event.slice(HOOK_EVENT.length));
    await learnContents(ctx.db, actor, [content]);
    return foundBy(`${HOOK_EVENT}${id}`, match);
  }
  if (event.startsWith(SIGNAL_EVENT)) {
    if (Object.keys(match).length > 0)
      throw refuseValue('invalid_value', '/match', 'a signal is taken as it is: its key says what it is about');
    return keyOf({ taskId: actor.taskId, key: event.slice(SIGNAL_EVENT.length) });
  }
  if (!isEventType(event))
    throw refuseValue(
      'invalid_enum',
      '/event',
      'is neither a type of event nor "signal", "signal:" with a key or "hook:" with the name of a hook',
    );
  const needed = readOfEvent(event);
  if (needed !== null && !may(actor, needed))
    throw refusePermission('forbidden', [needed], `To wait for ${event}, the version needs ${needed}.`);
  const errors = filterErrors(event, match).map((one) => ({ ...one, pointer: one.pointer?.replace('/filter', '/match') ?? null }));
  if (errors.length > 0) throw refuseValues(errors);
  if (needed !== null) await store.noteUsed(ctx.db, actor.runId, needed);
  return foundBy(event, match);
}

/** PostgreSQL: the writes that are open now may store the event later without having seen the wait (waking.ts). */
async function openWrites(ctx: Ctx, event: string | undefined): Promise<string | null> {
  if (ctx.dialect.oneWriter || event === undefined || !isEventType(event)) return null;
  const { to, open } = await presentCursor(ctx);
  return JSON.stringify({ to, open });
}

/** The first event since the beginning of the lineage that no wait of it has brought yet. */
async function lookBack(ctx: Ctx, { lineageId, claimId }: TaskActor, { event = '', match }: Body): Promise<string | null> {
  if (!isEventType(event)) return null;
  const from = await store.selectBegin(ctx.db, lineageId);
  const given = (await store.selectGiven(ctx.db, { lineageId, claimId, event })).flatMap(({ answers }) => idIn(answers) ?? []);
  const found = await findEvent(ctx.db, { type: event, match, from: from ?? '' }, new Set(given));
  return found && JSON.stringify(shownEvent(found));
}

async function keptSignal(ctx: Ctx, actor: TaskActor, event: string): Promise<string | null> {
  const signal = await takeKept(ctx, actor, event.slice(SIGNAL_EVENT.length));
  return signal === null ? null : JSON.stringify(signal);
}

/** A replay gets what the recorded run got. */
async function recorded(ctx: Ctx, { lineageId, runId }: ReplaySource, { key, event }: Body): Promise<Waited> {
  const row = await store.selectWait(ctx.db, { lineageId, key });
  if (row && row.answered_at !== null) return toWaited(row, false);
  throw new Refusal('not_in_recording', `The wait for ${event ?? 'a time'} has no end in the recording of run ${runId}.`);
}

function untilOf({ due_ms }: Pick<store.WaitRow, 'due_ms'>): string {
  return new Date(due_ms ?? 0).toISOString();
}

/** The script's clock moves to the time of the event, or to the end of the wait. */
function toWaited(row: store.WaitRow, again: boolean): Waited {
  const { id, answers, answered_at, left_ms } = row;
  const value = valueIn(answers);
  const ended_at = answered_at === null ? null : value === null ? untilOf(row) : answered_at;
  return { id, value, ended_at, left_ms: Math.max(0, left_ms), again };
}

export async function listWaits(ctx: Ctx, runId: number): Promise<RunWait[]> {
  await requireReads(ctx.db, ctx.actor, runId);
  return (await store.selectOpenWaits(ctx.db, runId)).map((row) => ({
    id: row.id,
    event: row.awaits === 'sleep' || row.awaits === null ? null : namedEvent(row.awaits),
    match: row.match === null ? {} : EventFilter.parse(JSON.parse(row.match)),
    since: row.asked_at,
    until: untilOf(row),
  }));
}
