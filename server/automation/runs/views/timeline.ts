import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { EndReason } from '../../../../contract/run-events.ts';
import { type RunMoment, TIMELINE_CURSOR } from '../../../../contract/run-timeline.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { requireReads } from '../rows/output-permissions.ts';
import { eventIn } from './lines.ts';
import { restartOf } from './shown.ts';
import { type MomentRow, RANK, selectMoments } from './timeline-store.ts';

/** Lists the moments of a run. They show what the script asked for, so whoever may not see its log may not see them. */
export async function getTimeline(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.get_timeline']>,
): Promise<ResponseOf<Endpoints['ai_tasks.get_timeline']>> {
  await requireReads(ctx.db, ctx.actor, params.run_id);
  const [, at = '', rank = '0', n = '0'] = TIMELINE_CURSOR.exec(query.cursor ?? '') ?? [];
  const place = { at, rank: Number(rank), n: Number(n) };
  const rows = await selectMoments(ctx.db, { runId: params.run_id, ...place, limit: query.limit + 1 });
  const shown = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? shown.at(-1) : undefined;
  return { data: shown.flatMap(momentOf), next_cursor: last ? `${last.at}/${last.rank}/${last.n}` : null };
}

function momentOf(row: MomentRow): RunMoment[] {
  const { at, rank, n, label, detail, size } = row;
  switch (rank) {
    case RANK.opened:
      return [{ kind: 'opened', at, started_by: label, restarted_from: restartOf(size, detail === null ? null : Number(detail)) }];
    case RANK.claimed:
      return [{ kind: 'claimed', at, attempt: size ?? 1, runner: label, duration_ms: lasted(row) }];
    case RANK.checkpoint:
      return [{ kind: 'checkpoint', at, epoch: n, bytes: size ?? 0 }];
    case RANK.asked:
      return [{ kind: 'asked', at, prompt_id: n, label, duration_ms: lasted(row) }];
    case RANK.ended:
      return [{ kind: 'ended', at, status: label, end_reason: detail === null ? null : EndReason.parse(detail) }];
    default:
      return callOf(row);
  }
}

function callOf({ at, n, label, size }: MomentRow): RunMoment[] {
  const event = eventIn(label);
  if (event.kind !== 'admin_api') return [];
  const { method, path, status, request = null } = event;
  return [{ kind: 'call', at, call: n, method, path, status, request, duration_ms: size }];
}

function lasted({ at, until }: MomentRow): number | null {
  return until === null ? null : Date.parse(until) - Date.parse(at);
}
