import { useQuery } from '@tanstack/react-query';
import { getRouteApi, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { Run } from '../../../contract/runs.ts';
import { blanks } from '../../parts/blanks.ts';
import { declarationsOf } from '../../parts/declarations.ts';
import { ParameterForm } from '../../parts/parameter-form.tsx';
import { RunMarks } from '../../parts/run-marks.tsx';
import { RunAbout, RunStatus, StartedBy } from '../../parts/run-status.tsx';
import { useMay } from '../../parts/shop.ts';
import { useReloadTasks } from '../../parts/tasks.ts';
import { Moment } from '../../parts/values.tsx';
import { permissionText } from '../../texts/permissions.ts';
import { tasksText } from '../../texts/tasks.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Tick } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Banner } from '../../ui/tabs.tsx';
import { Took } from '../../ui/took.tsx';
import { TaskFrame } from './frame.tsx';
import { RunLink } from './parts.tsx';
import { permissionsOf, RUNS_PER_PAGE, schedules as schedulesOf, startRun, type TaskDetail, taskRuns } from './queries.ts';
import { cronWords } from './starts/cron-words.ts';
import { TrialBanner } from './trial.tsx';
import { Versions } from './versions.tsx';
import '../../ui/toolbar.css';

const t = tasksText.page;
const TaskHealth = lazyRouteComponent(() => import('./health/health.tsx'), 'TaskHealth');
const route = getRouteApi('/tasks/$id');

export function TaskPage() {
  const id = Number(route.useParams().id);
  return (
    <TaskFrame id={id}>
      {({ value }) => (
        <>
          <TrialBanner detail={value} />
          <Waiting detail={value} />
          <div className="task-page">
            <div className="task-side">
              <Start detail={value} />
              <Next id={id} />
            </div>
            <div>
              <Runs id={id} />
              <Suspense fallback={null}>
                <TaskHealth id={id} />
              </Suspense>
              <Versions detail={value} />
              <May detail={value} />
            </div>
          </div>
        </>
      )}
    </TaskFrame>
  );
}

/** What of this task waits for a person, with the act beside it. */
function Waiting({ detail: { task, versions } }: { detail: TaskDetail }) {
  const runs = useQuery(taskRuns(task.id));
  const id = String(task.id);
  // One on which changes are requested waits until there is a newer one.
  const newest = Math.max(...versions.map(({ version }) => version));
  const pending = versions.filter((one) => one.approval === 'pending' && (!one.changes_requested || one.version === newest));
  const asking = runs.data?.filter(({ status, waiting_reason }) => status === 'running' && waiting_reason === 'prompt') ?? [];
  const interrupted =
    runs.data?.filter((run) => run.status === 'interrupted' && run.resumed_by_run_id === null && !run.dry_run && !run.replay_of_run_id) ??
    [];
  const waiting = [
    ...pending.map(({ id: v, version, changes_requested }) => ({
      key: `version ${v}`,
      words: changes_requested ? t.changesWanted(version) : t.versionWaits(version),
      act: (
        <ButtonLink to="/tasks/$id/versions/$v" params={{ id, v: String(v) }}>
          {t.review}
        </ButtonLink>
      ),
    })),
    ...asking.map((run) => ({ key: `run ${run.id}`, words: t.runAsks(run.id), act: linkTo(run, t.answer) })),
    ...interrupted.map((run) => ({ key: `run ${run.id}`, words: t.runInterrupted(run.id), act: linkTo(run, t.show) })),
  ];
  return waiting.map(({ key, words, act }) => (
    <Banner key={key} tone="need" act={act}>
      {words}
    </Banner>
  ));
}

const linkTo = ({ task_id, id }: Run, words: string) => (
  <RunLink taskId={task_id} runId={id}>
    {words}
  </RunLink>
);

function Start({ detail: { task, current_version: version } }: { detail: TaskDetail }) {
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const navigate = useNavigate();
  const reload = useReloadTasks();
  const [isDry, setDry] = useState(false);
  const [isRecorded, setRecorded] = useState(false);
  if (task.deleted_at !== null || !mayWrite) return null;
  if (!version) {
    return (
      <Section title={t.start}>
        <p className="muted">{t.cannotStart}</p>
      </Section>
    );
  }
  return (
    <Section title={t.start}>
      <ParameterForm
        key={version.id}
        label={t.start}
        declarations={declarationsOf(version)}
        submit={t.startAct}
        send={(parameters, options) => startRun(task.id, { parameters, dry_run: isDry, record: isRecorded }, options)}
        onDone={({ run_id }) => {
          void reload();
          void navigate({ to: '/tasks/$id/runs/$r', params: { id: task.id, r: run_id } });
        }}
      >
        <Tick label={t.dryRun} checked={isDry} onValue={setDry} />
        <Tick label={t.record} checked={isRecorded} onValue={setRecorded} />
      </ParameterForm>
    </Section>
  );
}

const columns = (taskId: number): Column<Run>[] => [
  {
    name: 'number',
    head: t.runColumns.number,
    cell: (run) => (
      <span className="wrap">
        <RunLink taskId={taskId} runId={run.id}>
          <data value={run.id}>{run.id}</data>
        </RunLink>{' '}
        <RunAbout run={run} />
      </span>
    ),
  },
  {
    name: 'status',
    head: t.runColumns.status,
    cell: (run) => (
      <>
        <RunStatus run={run} /> <RunMarks run={run} />
      </>
    ),
  },
  { name: 'started', head: t.runColumns.started, cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    name: 'took',
    head: t.runColumns.took,
    cell: ({ started_at, finished_at }) => <Took from={started_at} to={finished_at} />,
    isNumber: true,
    isMinor: true,
  },
  {
    name: 'version',
    head: t.runColumns.version,
    cell: ({ version }) => <data value={version ?? ''}>{version}</data>,
    isNumber: true,
    isMinor: true,
  },
  { name: 'by', head: t.runColumns.by, cell: ({ started_by }) => <StartedBy by={started_by} />, isMinor: true },
];

function Runs({ id }: { id: number }) {
  const { older } = route.useSearch();
  const go = route.useNavigate();
  const navigate = useNavigate();
  const runs = useQuery(taskRuns(id, older));
  const last = runs.data?.at(-1);
  return (
    <Section
      title={t.runs}
      act={
        <ButtonLink kind="quiet" to="/errors" search={{ task: id }}>
          {t.errors}
        </ButtonLink>
      }
    >
      <List
        label={t.runs}
        query={runs}
        columns={columns(id)}
        idOf={(run) => run.id}
        nameOf={(run) => String(run.id)}
        onOpen={(run) => void navigate({ to: '/tasks/$id/runs/$r', params: { id, r: run.id } })}
        blank={blanks.runs}
        empty={t.noRuns}
      />
      <div className="pager">
        {older === undefined ? null : <Button onClick={() => void go({ search: {} })}>{t.newest}</Button>}
        {last && runs.data?.length === RUNS_PER_PAGE ? (
          <Button onClick={() => void go({ search: { older: last.id } })}>{t.older}</Button>
        ) : null}
      </div>
    </Section>
  );
}

function Next({ id }: { id: number }) {
  const schedules = useQuery(schedulesOf(id).list);
  const next = (schedules.data?.data ?? []).flatMap(({ id: schedule, next_at: at, cron }) => (at === null ? [] : [{ schedule, at, cron }]));
  if (next.length === 0) return null;
  return (
    <Section title={t.next}>
      <ul className="next-times">
        {next
          .toSorted((a, b) => a.at.localeCompare(b.at))
          .map(({ schedule, at, cron }) => (
            <li key={schedule}>
              <Moment at={at} /> <span className="muted">{cronWords(cron)}</span>
            </li>
          ))}
      </ul>
    </Section>
  );
}

function May({ detail: { current_version: version } }: { detail: TaskDetail }) {
  if (!version) return null;
  const permissions = permissionsOf(version);
  return (
    <Section title={t.permissions}>
      {permissions.length === 0 ? <p className="muted">{t.mayNothing}</p> : null}
      <ul>
        {permissions.map((permission) => (
          <li key={permission} title={permission}>
            {permissionText(permission)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
