import type { InputOf, ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import { LoggedEvent } from '../../../../contract/run-events.ts';
import type { RunCall } from '../../../../contract/run-lines.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { notFound } from '../../../verbs/problem.ts';
import * as lines from '../log/line-store.ts';
import { requireReads } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';

export async function listRunLines(
  ctx: Ctx,
  { params, query }: InputOf<Endpoints['ai_tasks.list_run_lines']>,
): Promise<ResponseOf<Endpoints['ai_tasks.list_run_lines']>> {
  await requireReads(ctx.db, ctx.actor, params.run_id);
  const run = await store.selectRun(ctx.db, params.id, params.run_id);
  if (!run) throw notFound('run', params.run_id);
  const rows = await lines.selectTimedLines(ctx.db, { runId: run.id, ...query });
  return {
    lines: rows.map(({ line, call_number, ...row }) => ({ ...row, event: eventIn(line), call: call_number })),
    last_seq: run.log_lines,
  };
}

export async function listCalls(ctx: Ctx, { params, query }: InputOf<Endpoints['ai_tasks.list_calls']>): Promise<RunCall[]> {
  await requireReads(ctx.db, ctx.actor, params.run_id);
  return (await lines.selectCalls(ctx.db, { runId: params.run_id, ...query })).flatMap(callIn);
}

/** The call that a line reports. */
export function callIn({ seq, at, line, call_number, call_at, duration_ms, epoch }: lines.TimedLine & { at: string }): RunCall[] {
  const event = eventIn(line);
  if (event.kind !== 'admin_api' || call_number === null) return [];
  const { method, path, status, request = null } = event;
  return [{ call: call_number, method, path, status, request, at: call_at ?? at, duration_ms, epoch, log_seq: seq }];
}

export function eventIn(line: string): LoggedEvent {
  return LoggedEvent.parse(JSON.parse(line));
}
