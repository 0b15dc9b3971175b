import { type Json, JsonObject } from '../../../contract/run-events.ts';
import { MAX_WAITING_STARTS, StartOptions } from '../../../contract/start-options.ts';
import type { Ctx } from '../../verbs/context.ts';
import { readPermissions } from '../grants/read-permissions.ts';
import { withGiven } from '../parameters/rules.ts';
import { type NotOpened, type Opener, openUnattended, tellNotOpened } from '../runs/life/unattended.ts';
import { noteInLog } from '../runs/life/waiting.ts';
import { insertCauses } from '../trigger-queue/domain.ts';
import * as rates from './rate-store.ts';
import { optionsOf } from './rules.ts';
import * as store from './store.ts';

const MINUTE_MS = 60_000;

/** What became of a start whose time has come. */
export type Settled = { runId: number } | NotOpened | { waits: store.StartRow };

/** What opens the run of a start, with its items. */
type Prepared = { opener: Opener; isEnabled: boolean; parameters: JsonObject; items: store.ItemRow[]; options: StartOptions };

/**
 * Opens the run of a start that this transaction has locked and whose time has come, or lets it wait for its turn. `isForced`: a person
 * asks for it, whatever its rate. Once it does not wait any more, its row is gone.
 */
export async function settle(ctx: Ctx, row: store.StartRow, nowMs: number, isForced = false): Promise<Settled> {
  const prepared = await prepare(ctx, row);
  const rate = prepared.options.rate;
  if (rate && !isForced && !isOver(row, nowMs) && prepared.isEnabled) {
    const waits = await waitForRate(ctx, row, rate, nowMs);
    if (waits) return 'code' in waits ? giveUp(ctx, row, waits) : { waits };
  }
  const outcome = await open(ctx, row, prepared, nowMs);
  if (!('runId' in outcome)) return giveUp(ctx, row, outcome, prepared);
  await remove(ctx, row);
  await store.settleCalls(ctx.db, row.id, outcome.runId);
  if (rate) await rates.insertTime(ctx.db, { ...rateOf(row), at_ms: nowMs });
  for (const lineageId of causesOf(prepared.items)) await insertCauses(ctx.db, outcome.runId, lineageId);
  if (row.how !== 'single') await noteInLog(ctx, outcome.runId, inWords(row));
  if (prepared.opener.last_error !== null) await store.noteError(ctx.db, row, null);
  return outcome;
}

/** Ends a start without a run, which the log tells. */
export async function giveUp(ctx: Ctx, row: store.StartRow, outcome: NotOpened, known?: Prepared): Promise<NotOpened> {
  const { opener, items } = known ?? (await prepare(ctx, row));
  const last = items.at(-1);
  await remove(ctx, row);
  await store.settleCalls(ctx.db, row.id, null);
  await tellNotOpened(ctx, opener, outcome, { ...eventIn(row, last), gathered: row.items }, last?.lineage_id ?? null);
  if (outcome.isFault && opener.last_error !== outcome.reason) await store.noteError(ctx.db, row, outcome.reason);
  return outcome;
}

/** The one that has waited for the rate the longest is looked at next. */
async function remove(ctx: Ctx, row: store.StartRow): Promise<void> {
  // Otherwise one that comes meanwhile could stand behind this one and be called by nobody.
  if (row.queued_ms !== null) await lockRate(ctx, row);
  await store.remove(ctx.db, { id: row.id });
  await rates.callNext(ctx.db, rateOf(row));
  if (row.queued_ms !== null) ctx.after(() => ctx.services.starts.fire());
}

/** Whoever shares the rate waits until this transaction ends. */
function lockRate(ctx: Ctx, { kind, starter_id, task_id, rate_key }: store.StartRow): Promise<void> {
  return ctx.dialect.lockName(ctx.db, `starts ${kind} ${starter_id} ${task_id} ${rate_key}`);
}

const isOver = ({ expires_ms }: store.StartRow, nowMs: number): boolean => expires_ms !== null && expires_ms <= nowMs;

async function open(ctx: Ctx, row: store.StartRow, prepared: Prepared, nowMs: number): Promise<{ runId: number } | NotOpened> {
  if (isOver(row, nowMs)) {
    const reason = `${prepared.options.ttl ?? 'some'} ms, its ttl, passed before it could start`;
    return { reason, code: 'expired', isFault: false };
  }
  if (!prepared.isEnabled) return { reason: `the ${row.kind} was switched off meanwhile`, code: 'switched_off', isFault: false };
  return openUnattended(ctx, { ...prepared.opener, startByMs: row.expires_ms }, prepared.parameters);
}

/** Returns the start if it has to wait for its turn, or why it is left out; null: its turn has come. */
async function waitForRate(
  ctx: Ctx,
  row: store.StartRow,
  { per_minute, overflow }: NonNullable<StartOptions['rate']>,
  nowMs: number,
): Promise<store.StartRow | NotOpened | null> {
  const of = rateOf(row);
  await lockRate(ctx, row);
  await rates.forgetTimes(ctx.db, { ...of, before: nowMs - MINUTE_MS });
  const opened = await rates.selectOpened(ctx.db, { ...of, skipped: per_minute - 1 });
  const freeMs = (opened?.at_ms ?? 0) + MINUTE_MS;
  // Who has waited longest is called when a run opens; all others stand behind it.
  const isBehind = row.queued_ms === null && (await rates.selectOthers(ctx.db, { ...of, id: row.id })) !== undefined;
  if (freeMs <= nowMs && !isBehind) return null;
  if (overflow === 'skip') {
    const reason = `${per_minute} of its runs were opened in the last minute, as many as its rate allows`;
    return { reason, code: 'over_rate', isFault: false };
  }
  const changes = { queued_ms: row.queued_ms ?? nowMs, due_ms: isBehind ? null : freeMs, gathering: 0 };
  await store.change(ctx.db, row.id, changes);
  return { ...row, ...changes };
}

function rateOf({ kind, starter_id, task_id, rate_key }: store.StartRow): rates.RateOf {
  return { kind, starter_id, task_id, rate_key };
}

function causesOf(items: readonly store.ItemRow[]): string[] {
  return [...new Set(items.flatMap(({ lineage_id }) => lineage_id ?? []))];
}

async function prepare(ctx: Ctx, row: store.StartRow): Promise<Prepared> {
  const items = await store.selectItems(ctx.db, { id: row.id });
  // Of those that a later one has replaced, only the lineage is kept.
  const contents = items.flatMap(({ content }) => (content === '' ? [] : [JsonObject.parse(JSON.parse(content))]));
  if (row.kind === 'run') return ofRun(row, items, contents);
  const starter = await (row.kind === 'trigger' ? store.selectTrigger : store.selectHook)(ctx.db, { id: row.starter_id });
  if (!starter) throw new Error(`start ${row.id} has no ${row.kind}`);
  const fixed = JsonObject.parse(JSON.parse(starter.parameters));
  const common = { items, isEnabled: starter.enabled === 1, options: optionsOf(starter) };
  if ('parameter' in starter) {
    const given = givenOf(row, contents);
    const parameters = withGiven(fixed, starter.parameter, given);
    return { ...common, opener: { kind: 'hook', ...starter }, parameters };
  }
  const event: JsonObject = row.how === 'batch' ? { events: contents } : { event: givenOf(row, contents) };
  return { ...common, opener: { kind: 'trigger', ...starter }, parameters: { ...fixed, ...event } };
}

/** What a run is told: the list of a batch, else the last item, of `debounce` with the number of all. */
function givenOf(row: store.StartRow, contents: readonly JsonObject[]): Json {
  if (row.how === 'batch') return [...contents];
  const last = contents.at(-1) ?? {};
  return row.how === 'debounce' ? { ...last, gathered: row.items } : last;
}

function ofRun(row: store.StartRow, items: store.ItemRow[], contents: readonly JsonObject[]): Prepared {
  const last = items.at(-1);
  const permissions = [...new Set(items.flatMap((item) => readPermissions(item.permissions ?? '[]')))];
  const depth = Math.max(...items.map((item) => item.depth ?? 0));
  const opener: Opener = {
    kind: 'run',
    id: last?.run_id ?? 0,
    task_id: row.task_id,
    acts_for: row.acts_for ?? 0,
    reads_files: row.reads_files,
    last_error: null,
    parent: { runId: last?.run_id ?? 0, depth, permissions },
  };
  const parameters = row.how === 'batch' ? { events: [...contents] } : (contents.at(-1) ?? {});
  return { opener, isEnabled: true, parameters, items, options: StartOptions.parse(JSON.parse(row.options)) };
}

function eventIn({ kind }: store.StartRow, item: store.ItemRow | undefined): { event_id: number; event: string } | Record<string, never> {
  if (kind !== 'trigger' || !item) return {};
  const { id, type } = JsonObject.parse(JSON.parse(item.content));
  return { event_id: Number(id), event: String(type) };
}

function inWords({ how, items, first_ms, last_ms }: store.StartRow): string {
  const seconds = `${((last_ms - first_ms) / 1000).toFixed(1)} s`;
  return how === 'batch' ? `opened for ${items} gathered in ${seconds}` : `opened for the last of ${items} gathered in ${seconds}`;
}

export const FULL: NotOpened = {
  reason: `${MAX_WAITING_STARTS} of its starts wait already, the most that may`,
  code: 'queue_full',
  isFault: true,
};
