import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { EndReason } from '../../../../contract/run-events.ts';
import { SEARCHED_ERRORS, SHOWN_DAYS, SHOWN_RUNS, SHOWN_VERSIONS, type TaskError } from '../../../../contract/task-errors.ts';
import { fold } from '../../../../contract/values.ts';
import type { Position } from '../../../db/queries/keyset.ts';
import { dayIn } from '../../../values/dates.ts';
import { changesBetween, noteChanged } from '../../../verbs/changes.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { cursorAfter, readingOf } from '../../../verbs/list-pages.ts';
import { notFound, refuseValue } from '../../../verbs/problem.ts';
import type { RecordVersions } from '../../../verbs/record-versions.ts';
import type { Retention } from '../../../verbs/retention.ts';
import { missingReads } from '../rows/output-permissions.ts';
import { firstLine } from './rules.ts';
import * as store from './store.ts';

type Detail = ResponseOf<Endpoints['ai_tasks.get_error']>;

export const errorVersions = {
  task_error: {
    version: store.errorVersion,
    derived: async (ctx, { id }) => {
      const row = await store.selectError(ctx.db, { id: Number(id) });
      return row && [row, (await missingReads(ctx.db, ctx.actor, [row.last_run_id])).get(row.last_run_id)];
    },
  },
} satisfies RecordVersions;

const BY_LAST_SEEN = { last_seen_at: { name: 'last_seen_at', type: 'text' } } as const;

export async function listErrors(
  ctx: Ctx,
  { query }: InputOf<Endpoints['ai_tasks.list_errors']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_errors']>> {
  const { limit, cursor, q } = query;
  const filter = { taskId: query.task_id, state: query.state, versionId: query.version_id, version: query.version };
  const reading = readingOf({ cursor, per_page: q === undefined ? limit : SEARCHED_ERRORS }, '-last_seen_at', BY_LAST_SEEN);
  const keys = await store.selectErrorKeys(ctx.db, filter, reading);
  const page = keys.slice(0, reading.perPage);
  const all = await shownErrors(
    ctx,
    page.map(({ id }) => id),
  );
  const { data, last } = q === undefined ? { data: all, last: page.at(-1) } : saying(all, fold(q), page, limit);
  const isLast = last === undefined || last.id === keys.at(-1)?.id;
  return { data, next_cursor: isLast ? null : cursorAfter(reading, last) };
}

/**
 * The first of these errors whose message says the text, and the position that the next page follows. What is withheld is left out before
 * the text is looked for, so that no page tells whether it says it.
 */
function saying(errors: readonly TaskError[], folded: string, page: readonly Position[], limit: number) {
  const data = errors.filter(({ message }) => message !== null && fold(message).includes(folded)).slice(0, limit);
  const lastId = data.length === limit ? data.at(-1)?.id : undefined;
  return { data, last: lastId === undefined ? page.at(-1) : page.find(({ id }) => id === lastId) };
}

export function getError(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.get_error']>): Promise<Detail> {
  return shownError(ctx, params.id);
}

async function shownError(ctx: Ctx, id: number): Promise<Detail> {
  const [row] = await store.selectErrors(ctx.db, [id]);
  const [error] = await shownErrors(ctx, [id]);
  if (!row || !error) throw notFound('error', id);
  const runs = await store.selectRunsOf(ctx.db, id, SHOWN_RUNS);
  return { ...error, error_message: error.withheld.length === 0 ? row.error_message : null, runs };
}

export async function updateError(
  ctx: Ctx,
  { params, body: { state, resolved_in_version: wanted } }: InputOf<Endpoints['ai_tasks.update_error']>,
): Promise<Detail> {
  const before = await store.lockError(ctx.db, { id: params.id });
  if (!before) throw notFound('error', params.id);
  if (wanted !== undefined && state !== 'resolved')
    throw refuseValue('invalid_value', '/resolved_in_version', 'is accepted only with the state "resolved"');
  const after = { state, resolved_in_version: state === 'resolved' ? await resolvedIn(ctx, before, wanted) : null };
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length > 0) await store.updateError(ctx.db, before.id, after);
  noteChanged(ctx, 'task_error', before.id, changes);
  return shownError(ctx, before.id);
}

/** The version from which on the error may not be seen any more: the one that is named, else the current one, else the one that had it last. */
async function resolvedIn(ctx: Ctx, error: store.ErrorRow, wanted: number | undefined): Promise<number> {
  const taskId = error.task_id;
  if (wanted !== undefined) {
    if (await store.selectVersionNumber(ctx.db, { taskId, version: wanted })) return wanted;
    throw refuseValue('version_not_found', '/resolved_in_version', `task ${taskId} has no version ${wanted}`);
  }
  if (error.state === 'resolved' && error.resolved_in_version !== null) return error.resolved_in_version;
  const current = (await store.selectCurrentNumber(ctx.db, { taskId }))?.version ?? null;
  if (current !== null) return current;
  const [seen] = await store.selectVersionCounts(ctx.db, [error.id]);
  return seen?.version ?? 1;
}

/** These errors as the caller may see them, last seen first. */
async function shownErrors(ctx: Ctx, ids: readonly number[]): Promise<TaskError[]> {
  const rows = await store.selectErrors(ctx.db, ids);
  const missing = await missingReads(
    ctx.db,
    ctx.actor,
    rows.map(({ last_run_id }) => last_run_id),
  );
  const versions = Map.groupBy(await store.selectVersionCounts(ctx.db, ids), ({ error_id }) => error_id);
  const days = Map.groupBy(await store.selectDayCounts(ctx.db, ids, firstDay(ctx)), ({ error_id }) => error_id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const withheld = missing.get(row.last_run_id) ?? [];
    return {
      id,
      task_id: row.task_id,
      task_name: row.task_name,
      state: row.state,
      resolved_in_version: row.resolved_in_version,
      returned_at: row.returned_at,
      end_reason: row.end_reason === null ? null : EndReason.parse(row.end_reason),
      count: row.count,
      first_seen_at: row.first_seen_at,
      last_seen_at: row.last_seen_at,
      run_id: row.last_run_id,
      status: row.status,
      message: withheld.length === 0 ? firstLine(row.error_message) : null,
      withheld,
      versions: (versions.get(id) ?? []).slice(0, SHOWN_VERSIONS).map(({ error_id: _, ...version }) => version),
      days: (days.get(id) ?? []).map(({ day, count }) => ({ day, count })),
    };
  });
}

const DAY_MS = 86_400_000;

function firstDay({ now, settings }: Pick<Ctx, 'now' | 'settings'>): string {
  return dayIn(new Date(Date.parse(now) - (SHOWN_DAYS - 1) * DAY_MS).toISOString(), settings.timezone);
}

/** The counts of days go when the runs of that day may have gone; the error itself goes with its last run. */
export const errorCounts: Retention = {
  days: ({ run_days }) => run_days,
  deleteBatch: (at, before, limit) => store.deleteOldCounts(at, before.slice(0, 10), limit),
};

export { forgetErrorsOf } from './store.ts';
