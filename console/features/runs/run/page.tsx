import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { WithAssistant } from '../../../parts/assistant/beside.tsx';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { RunMarks } from '../../../parts/run-marks.tsx';
import { RunStatus, StartedBy } from '../../../parts/run-status.tsx';
import { defined, without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { Moment } from '../../../parts/values.tsx';
import { assistantText } from '../../../texts/assistant.ts';
import { runsText as t } from '../../../texts/runs.ts';
import { undoText } from '../../../texts/undo.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { PageHead, Skeleton } from '../../../ui/page.tsx';
import { PathLink } from '../../../ui/path-link.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { Took } from '../../../ui/took.tsx';
import { ApplyPlan } from '../acts/apply.tsx';
import { type Asked, RunDialogs } from '../acts/dialogs.tsx';
import { LogTab } from '../log/log.tsx';
import { useFeed, useRunFeed } from '../log/use-feed.ts';
import { runPrompts, runRecord, streamPath } from '../queries.ts';
import type { RunSearch, RunTab } from '../search.ts';
import { CallsTab } from './calls.tsx';
import { CheckpointsTab } from './checkpoints.tsx';
import { RunDescription, RunDetails } from './details.tsx';
import { EffectsTab, useEffectCount, usePlannedWords } from './effects.tsx';
import { RunFacts } from './facts.tsx';
import { FilesTab } from './files.tsx';
import { ProgressBar } from './progress.tsx';
import { OpenQuestions, QuestionsTab } from './questions.tsx';
import { ResultsTab } from './results.tsx';
import { RunTrial } from './trial.tsx';
import { OpenWaits } from './waits.tsx';
import { type Why, whyOf } from './why.ts';
import { WhyBanner } from './why-banner.tsx';
import '../page.css';

const route = getRouteApi('/tasks/$id/runs/$r');
const CompareTab = lazyRouteComponent(() => import('../compare/compare.tsx'), 'CompareTab');
const UndoPlan = lazyRouteComponent(() => import('../undo/plan.tsx'), 'UndoPlan');
fetchAhead(CompareTab);

/** Ends of which somebody may want to know why. */
const badEnds = new Set(['failed', 'timed_out', 'interrupted', 'cancelled']);

export function RunPage() {
  const { id: taskId, r: runId } = route.useParams();
  const run = useQuery(runRecord(taskId, runId));
  if (run.isPending) return <Skeleton rows={12} />;
  if (run.data === undefined) return <Problem error={run.error} retry={() => void run.refetch()} />;
  if (run.data === null) return <Empty drawing="sign" title={t.gone} />;
  return (
    <>
      {run.error ? <Problem error={run.error} retry={() => void run.refetch()} /> : null}
      <RunView key={runId} run={run.data} />
    </>
  );
}

function RunView({ run }: { run: Run }) {
  const { id: runId, task_id: taskId } = run;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const reload = useReloadTasks();
  const [asked, setAsked] = useState<Asked | null>(null);
  const feed = useRunFeed(streamPath(taskId, runId), () => {
    // The end of the stream is the end of the run: what was read while it was open is read once more.
    if (queries.getQueryData(runRecord(taskId, runId).queryKey)?.status === 'running') void reload();
  });
  const isOpen = run.status === 'running';
  const isWithheld = run.withheld.length > 0;
  const prompts = useQuery({ ...runPrompts(taskId, runId, isOpen), enabled: !isWithheld });
  const why = whyOf(run);
  const { thread } = search;
  // Another tab leaves the assistant open.
  const go = (next: RunSearch): void => void navigate({ search: { ...next, ...defined({ thread }) }, replace: next.tab === search.tab });
  const setThread = (open: RunSearch['thread']): void =>
    void navigate({
      search: { ...without(search, 'thread'), ...defined({ thread: open }) },
      replace: thread !== undefined && open !== undefined,
    });
  const tab = search.tab ?? (run.dry_run && !isOpen ? 'effects' : 'log');
  const may = useMayAct(run);
  const undoneId = run.dry_run ? run.undo_of_run_id : null;
  useShortcuts({
    ...(may.resume ? { r: { name: t.acts.resume, act: () => setAsked({ kind: 'resume' }) } } : {}),
    ...(may.cancel ? { c: { name: t.cancel.act, act: () => setAsked({ kind: 'cancel' }) } } : {}),
  });

  return (
    <>
      <PageHead
        title={
          <>
            <PathLink to={`/tasks/${taskId}`} className="run-task">
              {run.task_name}
            </PathLink>{' '}
            <span className="muted">· {t.run(runId)}</span>
          </>
        }
        note={
          <>
            <RunDescription feed={feed} description={run.description} />
            <Note run={run} hasBanner={why !== null} />
          </>
        }
      >
        <RunActs
          run={run}
          why={why}
          may={may}
          ask={setAsked}
          assistant={{ isOpen: thread !== undefined, set: setThread }}
          compare={() => go({ tab: 'compare' })}
        />
      </PageHead>
      {undoneId !== null && !isWithheld ? (
        <Suspense fallback={<Skeleton rows={8} />}>
          <UndoPlan run={run} undoneId={undoneId} mayWrite={may.write} rows={search.rows} ask={setAsked} go={go} />
        </Suspense>
      ) : (
        <>
          <Banner run={run} why={why} mayWrite={may.write} ask={setAsked} go={go} />
          {run.dry_run ? null : <RunTrial run={run} />}
          {isOpen ? <OpenQuestions run={run} prompts={prompts.data ?? []} mayAnswer={may.write} /> : null}
          {isOpen ? <OpenWaits run={run} maySend={may.write} /> : null}
          {feed ? <ProgressBar run={run} feed={feed} /> : null}
          {feed ? <RunDetails feed={feed} /> : null}
          <WithAssistant
            taskId={taskId}
            runId={runId}
            open={thread}
            setOpen={setThread}
            isOffered={may.ask}
            firstMessage={assistantText.why.message}
          >
            <div className="run">
              <div className="run-main">
                {isWithheld ? (
                  <Withheld run={run} />
                ) : feed ? (
                  <>
                    <RunTabs run={run} feed={feed} open={tab} questions={prompts.data?.length ?? 0} go={(next) => go({ tab: next })} />
                    {tab === 'log' ? <LogTab feed={feed} isOpen={isOpen} taskId={taskId} runId={runId} search={search} go={go} /> : null}
                    {tab === 'effects' ? (
                      <EffectsTab run={run} undo={may.undo ? (effects) => setAsked({ kind: 'undo', effects }) : undefined} />
                    ) : null}
                    {tab === 'calls' ? <CallsTab run={run} go={go} /> : null}
                    {tab === 'results' ? <ResultsTab feed={feed} search={search} go={go} /> : null}
                    {tab === 'files' ? <FilesTab run={run} /> : null}
                    {tab === 'checkpoints' ? (
                      <CheckpointsTab
                        run={run}
                        mayRestart={may.restart}
                        restart={(checkpoint) => setAsked({ kind: 'restart', checkpoint })}
                      />
                    ) : null}
                    {tab === 'questions' ? <QuestionsTab prompts={prompts.data ?? []} /> : null}
                    {tab === 'compare' ? (
                      <Suspense fallback={<Skeleton />}>
                        <CompareTab
                          run={run}
                          withId={search.with}
                          choose={(other) => go({ tab: 'compare', ...(other === undefined ? {} : { with: other }) })}
                        />
                      </Suspense>
                    ) : null}
                  </>
                ) : null}
              </div>
              <RunFacts run={run} />
            </div>
          </WithAssistant>
        </>
      )}
      {asked ? <RunDialogs run={run} asked={asked} close={() => setAsked(null)} /> : null}
    </>
  );
}

/** What the caller may do with the run as it is. */
function useMayAct(run: Run) {
  const write = useMay()('admin_api.ai_tasks.write');
  const effects = useEffectCount(run);
  const isOpen = run.status === 'running';
  const isOwn = run.replay_of_run_id === null;
  return {
    write,
    resume: write && run.status === 'interrupted' && isOwn,
    cancel: write && isOpen,
    ask: write && badEnds.has(run.status),
    restart: write && !isOpen && isOwn,
    replay: write && !isOpen && run.record && isOwn,
    undo: write && !isOpen && isOwn && !run.dry_run && effects !== undefined,
  };
}

type ActsProps = {
  run: Run;
  why: Why | null;
  may: ReturnType<typeof useMayAct>;
  ask(asked: Asked): void;
  assistant: { isOpen: boolean; set(open: RunSearch['thread']): void };
  compare(): void;
};

function RunActs({ run, why, may, ask, assistant, compare }: ActsProps) {
  return (
    <>
      {may.resume ? (
        <Button kind="first" keys="r" onClick={() => ask({ kind: 'resume' })}>
          {t.acts.resume}
        </Button>
      ) : null}
      {may.cancel ? (
        <Button keys="c" onClick={() => ask({ kind: 'cancel' })}>
          {t.acts.cancel}
        </Button>
      ) : null}
      {may.write && run.undo_of_run_id === null && (run.dry_run || why?.help?.kind !== 'again') ? (
        <Button onClick={() => ask({ kind: 'again' })}>{t.acts.again}</Button>
      ) : null}
      {may.ask ? (
        <Button keys="mod+l" aria-expanded={assistant.isOpen} onClick={() => assistant.set(assistant.isOpen ? undefined : 'new')}>
          {assistantText.why.act}
        </Button>
      ) : null}
      {may.replay ? <Button onClick={() => ask({ kind: 'replay' })}>{t.acts.replay}</Button> : null}
      {may.undo ? <Button onClick={() => ask({ kind: 'undo' })}>{undoText.act}</Button> : null}
      {run.dry_run && run.undo_of_run_id !== null ? null : <Button onClick={compare}>{t.acts.compare}</Button>}
    </>
  );
}

function Note({ run, hasBanner }: { run: Run; hasBanner: boolean }) {
  return (
    <span className="run-note">
      {hasBanner ? null : <RunStatus run={run} />} <RunMarks run={run} /> <StartedBy by={run.started_by} /> · <Moment at={run.started_at} />{' '}
      · <Took from={run.started_at} to={run.finished_at} words={run.finished_at === null ? t.goingFor : t.took} />
    </span>
  );
}

type BannerProps = { run: Run; why: Why | null; mayWrite: boolean; ask(asked: Asked): void; go(search: RunSearch): void };

function Banner({ run, why, mayWrite, ask, go }: BannerProps) {
  const planned = usePlannedWords(run);
  if (!why) return null;
  if (why.help?.kind === 'apply') return <ApplyPlan run={run} words={planned} mayApply={mayWrite} ask={ask} />;
  return <WhyBanner run={run} why={why} mayWrite={mayWrite} ask={ask} compare={() => go({ tab: 'compare' })} />;
}

type TabsProps = { run: Run; feed: Parameters<typeof useFeed>[0]; open: RunTab; questions: number; go(tab: RunTab): void };

function RunTabs({ run, feed, open, questions, go }: TabsProps) {
  const calls = useFeed(feed, (one) => one.calls.length);
  const results = useFeed(feed, (one) => one.results.length);
  const effects = useEffectCount(run);
  const names = t.tabs;
  return (
    <Tabs
      label={names.label}
      open={open}
      go={go}
      tabs={[
        { name: 'log', label: names.log },
        { name: 'effects', label: run.dry_run ? names.plan : names.effects, count: effects },
        { name: 'calls', label: names.calls, count: calls || undefined },
        { name: 'results', label: names.results, count: results || undefined },
        { name: 'files', label: names.files },
        ...(run.last_checkpoint === null ? [] : [{ name: 'checkpoints', label: names.checkpoints } as const]),
        ...(questions > 0 ? [{ name: 'questions', label: names.questions, count: questions } as const] : []),
        ...(open === 'compare' ? [{ name: 'compare', label: names.compare } as const] : []),
      ]}
    />
  );
}

function Withheld({ run }: { run: Run }) {
  return (
    <div className="withheld">
      <p>{t.withheld}</p>
      <ul>
        {run.withheld.map((permission) => (
          <li key={permission}>
            <code>{permission}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
