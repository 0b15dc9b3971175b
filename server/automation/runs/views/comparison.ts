import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { COMPARED_EFFECT_BYTES, COMPARED_MAX, type ComparedResult, type RunComparison } from '../../../../contract/run-comparison.ts';
import { Json } from '../../../../contract/run-events.ts';
import type { RunCall } from '../../../../contract/run-lines.ts';
import { canonicalText } from '../../../values/canonical.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { refuseParameter } from '../../../verbs/problem.ts';
import * as lineStore from '../log/line-store.ts';
import { effectOf } from '../rows/effects.ts';
import { requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import { callIn, eventIn } from './lines.ts';
import { selectRunRows } from './list-store.ts';
import { showing } from './shown.ts';
import { type Pair, sideBySide } from './side-by-side.ts';

/** Shows two runs side by side. All of it is compared for each page, which the bounds of what is compared keep cheap. */
export async function compareRuns(ctx: Ctx, { query }: InputOf<Endpoints['ai_tasks.compare_runs']>): Promise<RunComparison> {
  const rows = await selectRunRows(ctx.db, [query.a, query.b]);
  const find = (name: 'a' | 'b'): store.RunRow => {
    const row = rows.find(({ id }) => id === query[name]);
    if (!row) throw refuseParameter('run_not_found', name, `there is no run ${query[name]}`);
    return row;
  };
  const [a, b] = [find('a'), find('b')];
  for (const { id } of [a, b]) await requireReads(ctx.db, ctx.actor, id);
  const { row } = await showing(ctx, [a, b]);
  const from = Number(query.cursor ?? '0');
  const page = { from, end: from + query.limit };
  const calls = shownCalls(page, await callsOf(ctx, a.id), await callsOf(ctx, b.id));
  const effects = shown(page, await effectsOf(ctx, a.id), await effectsOf(ctx, b.id), {
    keyOf: ({ method, path, resource, changes }) =>
      `${method} ${path} ${resource.type} ${resource.type === 'http_request' ? JSON.stringify(changes['request']) : ''}`,
    isSame: (one, other) => one.status === other.status && one.resource.id === other.resource.id && areEqual(one.changes, other.changes),
  });
  const results = shown(page, await resultsOf(ctx, a.id), await resultsOf(ctx, b.id), {
    keyOf: ({ item }) => item,
    isSame: (one, other) => one.status === other.status && areEqual(one.details, other.details),
  });
  return {
    a: row(a),
    b: row(b),
    result: areEqual(returned(a), returned(b)) ? 'same' : 'changed',
    calls: calls.part,
    effects: effects.part,
    results: results.part,
    next_cursor: [calls, effects, results].some(({ length }) => length > page.end) ? String(page.end) : null,
  };
}

/** What is compared of one kind, the first of a run; `isComplete`: it has no others. */
type First<T> = { items: readonly T[]; isComplete: boolean };

function firstOf<T>(items: readonly T[]): First<T> {
  return { items: items.slice(0, COMPARED_MAX), isComplete: items.length <= COMPARED_MAX };
}

/** The lines of a log have a limit of bytes together, the changes of effects have none. */
async function callsOf(ctx: Ctx, runId: number) {
  return firstOf((await lineStore.selectCalls(ctx.db, { runId, after: 0, limit: COMPARED_MAX + 1 })).flatMap(callIn));
}

async function effectsOf(ctx: Ctx, runId: number) {
  const { effects, isComplete } = await store.selectFirstEffects(ctx.db, runId, { limit: COMPARED_MAX, bytes: COMPARED_EFFECT_BYTES });
  return { items: effects.map(effectOf), isComplete };
}

async function resultsOf(ctx: Ctx, runId: number): Promise<First<ComparedResult>> {
  const lines = await lineStore.selectResultLines(ctx.db, { runId, limit: COMPARED_MAX + 1 });
  const results = lines.flatMap(({ line }) => {
    const event = eventIn(line);
    return event.kind === 'result' ? [{ item: event.item, status: event.status, details: event.details }] : [];
  });
  return firstOf(results);
}

/**
 * What a call asks of another system tells calls apart as their paths do, unless the calls of one run tell nothing of it, as those of older runs
 * do.
 */
function shownCalls(page: Page, a: First<RunCall>, b: First<RunCall>) {
  const byRequest = [a, b].every(({ items }) => items.some(({ request }) => request !== null));
  const asked = ({ request }: RunCall): string => (byRequest && request ? ` ${request.method} ${request.url}` : '');
  return shown(page, a, b, {
    keyOf: (call) => `${call.method} ${call.path}${asked(call)}`,
    isSame: (one, other) => one.status === other.status && (!byRequest || one.request?.status === other.request?.status),
  });
}

type Page = { from: number; end: number };

function shown<T>(page: Page, a: First<T>, b: First<T>, how: Parameters<typeof sideBySide<T>>[2]) {
  const pairs: Pair<T>[] = sideBySide(a.items, b.items, how);
  const count = (outcome: Pair<T>['outcome']): number => pairs.reduce((sum, pair) => sum + (pair.outcome === outcome ? 1 : 0), 0);
  const part = {
    same: count('same'),
    changed: count('changed'),
    only_a: count('only_a'),
    only_b: count('only_b'),
    is_complete: a.isComplete && b.isComplete,
    data: pairs.slice(page.from, page.end),
  };
  return { part, length: pairs.length };
}

function returned({ result }: store.RunRow): Json {
  return result === null ? null : Json.parse(JSON.parse(result));
}

function areEqual(one: Json, other: Json): boolean {
  return canonicalText(one) === canonicalText(other);
}
