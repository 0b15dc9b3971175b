import type { Attributes, Span, Tracing } from '../tracing/tracing.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { RunStop } from './ending.ts';
import type { HostCall } from './host-calls.ts';
import { outcomeOf } from './outcome.ts';

/** Begins the span of a claim, in the trace of the request that opened the run; it lasts until the run's end has been reported. */
export function beginRunSpan(tracing: Tracing, { run, version, lineage_id }: ClaimedRun): Span {
  return tracing.start('run', {
    kind: 'consumer',
    parent: run.traceparent,
    attributes: {
      'backroom.run.id': run.id,
      'backroom.run.attempt': run.attempt,
      'backroom.run.dry_run': run.dry_run,
      'backroom.run.replay': run.replay,
      'backroom.run.lineage_id': lineage_id,
      'backroom.task.id': run.task_id,
      'backroom.task.version_id': version.id,
      'backroom.task.version': version.version ?? 'draft',
    },
  });
}

/** Ends the span of a claim with what became of the run. */
export function endRunSpan(span: Span, stop: RunStop, claim: ClaimedRun): void {
  if (stop.kind === 'ended') {
    const { status, end_reason } = outcomeOf(stop.cause, claim);
    span.set({ 'backroom.run.status': status, 'backroom.run.end_reason': end_reason });
    if (status !== 'success') span.fail(end_reason);
  } else {
    span.set({ 'backroom.run.status': stop.kind === 'waits' ? 'waiting' : 'lost' });
    if (stop.kind === 'lost') span.fail('lost');
  }
  span.end();
}

/** Begins the span of one call of the script. It has no query and no body, which may hold secrets. */
export function beginCallSpan(span: Span, call: HostCall): Span {
  return span.child(`call ${call.operation}`, {
    kind: 'client',
    attributes: { 'backroom.call.operation': call.operation, ...target(call) },
  });
}

function target({ operation, shown }: HostCall): Attributes {
  if (operation !== 'admin_api') return {};
  const [method, path] = shown.split('?', 1)[0]?.split(' ') ?? [];
  return { 'http.request.method': method, 'url.path': path };
}
