import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Run } from '../../../../contract/runs.ts';
import { countText } from '../../../language/formats.ts';
import { endWords, RunStatus, StartedBy } from '../../../parts/run-status.tsx';
import { Moment } from '../../../parts/values.tsx';
import { runPartsText } from '../../../texts/run-parts.ts';
import { runsText } from '../../../texts/runs.ts';
import { valueText } from '../../../ui/change.tsx';
import { Facts, Section } from '../../../ui/page.tsx';

const t = runsText.facts;

type Fact = readonly [name: string, value: ReactNode];

/** What is known of the run, beside what it did. */
export function RunFacts({ run }: { run: Run }) {
  const ended = endWords(run.end_reason);
  const parameters: JsonObject = JSON.parse(run.parameters || '{}');
  const given = Object.entries(parameters).map(([name, value]): Fact => [name, valueText(value)]);
  return (
    <aside className="run-facts" aria-label={t.label}>
      <Section title={t.status}>
        <p className="status-line">
          <RunStatus run={run} /> {ended === undefined ? null : <span className="muted">{ended}</span>}
        </p>
      </Section>
      <Section title={t.run}>
        <Facts facts={factsOf(run)} />
      </Section>
      <Section title={t.parameters}>{given.length === 0 ? <p className="muted">{t.noParameters}</p> : <Facts facts={given} />}</Section>
      {run.status !== 'success' || run.withheld.length > 0 || run.undo_of_run_id !== null ? null : (
        <Section title={t.returned}>
          <Json value={run.result} />
        </Section>
      )}
    </aside>
  );
}

function factsOf(run: Run): Fact[] {
  const other = (name: string, id: number | null): Fact[] =>
    id === null
      ? []
      : [
          [
            name,
            <Link key={name} to="/tasks/$id/runs/$r" params={{ id: run.task_id, r: id }}>
              {runsText.run(id)}
            </Link>,
          ],
        ];
  return [
    ...(run.undo_of_run_id === null ? executionOf(run) : other(t.undoOf, run.undo_of_run_id)),
    [byWords(run), <StartedBy key="by" by={run.started_by} />],
    [t.startedAt, <Moment key="started" at={run.started_at} kind="second" />],
    ...(run.finished_at === null ? [] : [[t.finishedAt, <Moment key="ended" at={run.finished_at} kind="second" />] as const]),
    ...(run.error_id === null
      ? []
      : [
          [
            t.error,
            <Link key="error" to="/errors/$id" params={{ id: String(run.error_id) }}>
              {t.sameError}
            </Link>,
          ] as const,
        ]),
    ...(run.record ? [[t.recorded, t.yes] as const] : []),
    ...other(t.from, run.resumed_from_run_id),
    ...other(t.to, run.resumed_by_run_id),
    ...other(
      run.restarted_from === null ? '' : t.restartOf(run.restarted_from.checkpoint),
      run.restarted_from === null ? null : run.restarted_from.run_id,
    ),
    ...other(t.replayOf, run.replay_of_run_id),
    ...other(t.appliedBy, run.applied_by_run_id),
    ...other(t.undoneBy, run.undone_by_run_id),
  ];
}

/** What was executed, and where. No script runs in an undo: the server makes its plan and carries it out. */
const executionOf = (run: Run): Fact[] => [
  [
    t.version,
    run.version === null ? null : (
      <Link key="version" to="/tasks/$id/versions/$v" params={{ id: String(run.task_id), v: String(run.version_id) }}>
        <data value={run.version ?? ''}>{run.version}</data>
      </Link>
    ),
  ],
  [t.attempt, runPartsText.attemptOf(run.attempt, run.attempts)],
  [t.runner, run.executor === 'external' ? t.external : (run.claimed_by ?? t.noRunner)],
  ...(run.isolation.length === 0 ? [] : [[t.layers, `${countText(run.isolation.length)}: ${run.isolation.join(', ')}`] as const]),
];

function byWords(run: Run): string {
  if (run.undo_of_run_id === null) return t.by;
  return run.dry_run ? t.plannedBy : t.carriedOutBy;
}

/** JSON as it was returned, broken into lines. */
export function Json({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its place is scrolled by keys, too
    <pre className="json" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
