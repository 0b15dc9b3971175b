import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { follow } from '../../../api/events.ts';
import { PromptForm } from '../../../parts/prompt-form.tsx';
import { RunStatus } from '../../../parts/run-status.tsx';
import { editorText } from '../../../texts/editor.ts';
import { Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { RunLink } from '../parts.tsx';
import { PlanList } from '../plan-list.tsx';
import { runEffects, runPrompts, runState } from '../queries.ts';
import { eventLine } from './event-line.ts';
import { linesOfCall } from './source-lines.ts';
import type { DryRun } from './use-dry-run.ts';
import '../../../ui/list.css';
import './plan.css';

const t = editorText.plan;

type ShownDryRun = Pick<DryRun, 'runId' | 'error' | 'isOutdated'>;

/** So many lines of the log are shown; the page of the run has all. */
const LINES_MAX = 12;
/** Of equal changes, the first ones tell where they come from. */
const LOOKED_AT = 5;

type Props = {
  taskId: number | undefined;
  dryRun: ShownDryRun;
  /** The source that is shown beside the plan, whose lines it leads to. */
  beside?: Beside;
};
type Beside = { source: string; reveal(line: number): void };

/** What the dry run would do, and how it went. Dashed, because none of it has happened. */
export function DryRunPlan({ taskId, dryRun: { runId, error, isOutdated }, beside }: Props) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (runId !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [runId]);
  if (error) return <Problem error={error} />;
  if (runId === undefined || taskId === undefined) return beside ? <p className="muted">{t.none}</p> : null;
  return (
    <section ref={place} className={beside ? 'plan beside' : 'plan'} aria-label={t.title}>
      <Plan key={runId} taskId={taskId} runId={runId} isOutdated={isOutdated} beside={beside} />
    </section>
  );
}

type PlanProps = { taskId: number; runId: number; isOutdated: boolean; beside: Beside | undefined };

function Plan({ taskId, runId, isOutdated, beside }: PlanProps) {
  const { lines, isOver } = useLogTail(taskId, runId);
  const run = useQuery(runState(taskId, runId, isOver));
  const isReady = run.data?.status === 'success';
  const effects = useQuery({ ...runEffects(taskId, runId), enabled: isReady });
  if (!run.data) return run.error ? <Problem error={run.error} retry={() => void run.refetch()} /> : <Skeleton rows={3} />;
  return (
    <>
      <div className="plan-head" role="status">
        <h2>{t.title}</h2>
        <RunStatus run={run.data} />
        {effects.data ? <strong>{t.writes(effects.data.length)}</strong> : null}
        {isOutdated ? <span className="tag need">{t.outdated}</span> : null}
        <span className="plan-link">
          <RunLink taskId={taskId} runId={runId}>
            {t.openRun}
          </RunLink>
        </span>
      </div>
      {run.data.error_message === null ? null : <Failure message={run.data.error_message} beside={beside} />}
      {isOver ? null : <Questions taskId={taskId} runId={runId} />}
      {effects.error ? <Problem error={effects.error} /> : null}
      {effects.data && effects.data.length > 0 ? (
        <>
          <PlanList
            effects={effects.data}
            {...(beside
              ? {
                  source: {
                    linesOf: (own) => [...new Set(own.slice(0, LOOKED_AT).flatMap((one) => linesOfCall(beside.source, one)))],
                    go: beside.reveal,
                  },
                }
              : {})}
          />
          <p className="muted">{t.applyHint}</p>
        </>
      ) : null}
      <h3>{t.log}</h3>
      {lines.length === 0 ? <p className="muted">{t.noLog}</p> : <pre className="plan-log">{lines.join('\n')}</pre>}
    </>
  );
}

/** Why it failed, with the way to the line of the source that did. */
function Failure({ message, beside }: { message: string; beside: Beside | undefined }) {
  const [, line] = /\btask\.ts:(\d+):\d+/.exec(message) ?? [];
  return (
    <>
      <pre className="plan-error">{message}</pre>
      {beside && line !== undefined ? (
        <button type="button" className="plan-line" onClick={() => beside.reveal(Number(line))}>
          {t.line(Number(line))}
        </button>
      ) : null}
    </>
  );
}

/** What the dry run asks; it is answered here, so that the author does not have to leave the draft. */
function Questions({ taskId, runId }: { taskId: number; runId: number }) {
  const prompts = useQuery(runPrompts(taskId, runId));
  const open = prompts.data?.filter(({ answered_at }) => answered_at === null) ?? [];
  return open.map((prompt) => (
    <div key={prompt.id} className="plan-question">
      <h3>{prompt.label}</h3>
      <PromptForm run={{ task_id: taskId, id: runId }} prompt={prompt} takesFocus={() => document.activeElement === document.body} />
    </div>
  ));
}

/** The last lines of a run's log while it goes on. */
function useLogTail(taskId: number, runId: number): { lines: readonly string[]; isOver: boolean } {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    void follow(`/ai-tasks/${taskId}/runs/${runId}/stream`, {
      signal: end.signal,
      onMessage: ({ event, data }) => {
        if (event === 'status') return setOver(true);
        const line = eventLine(data);
        if (line !== null) setLines((before) => [...before, line].slice(-LINES_MAX));
      },
      onState: (state) => {
        if (state === 'ended') setOver(true);
      },
    });
    return () => end.abort();
  }, [taskId, runId]);
  return { lines, isOver };
}
