import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { RunRow } from '../../../contract/runs.ts';
import { without } from '../../app/search.ts';
import { useMay } from '../../app/shop.ts';
import { runPartsText } from '../../texts/en/run-parts.ts';
import { runsText } from '../../texts/en/runs.ts';
import { Button } from '../../ui/button.tsx';
import { tookText } from '../../ui/duration.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { PageHead } from '../../ui/page.tsx';
import { Picker } from '../../ui/picker.tsx';
import { endWords, NextAttempt, RunMarks, RunStatus, StartedBy } from '../../ui/run-status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Pager, Toolbar, ViewTab } from '../../ui/toolbar.tsx';
import { Moment } from '../../ui/values.tsx';
import { CancelBar } from './cancel-runs.tsx';
import { foundTasks, runsPage, taskRecord } from './queries.ts';
import { type RunsSearch, statuses, waitingReasons } from './search.ts';
import './page.css';

const t = runsText.list;
const route = getRouteApi('/runs');

const columns: Column<RunRow>[] = [
  { name: 'run', head: t.columns.run, cell: ({ id }) => <span className="muted">{id}</span>, isNumber: true, isMinor: true },
  {
    name: 'task',
    head: t.columns.task,
    cell: (run) => (
      <span className="wrap">
        {run.task_name} <RunMarks run={run} />
      </span>
    ),
  },
  { name: 'status', head: t.columns.status, cell: (run) => <RunStatus run={run} /> },
  { name: 'why', head: t.columns.why, cell: (run) => <Why run={run} />, isMinor: true },
  { name: 'by', head: t.columns.by, cell: ({ started_by }) => <StartedBy by={started_by} />, isMinor: true },
  { name: 'started', head: t.columns.started, cell: ({ started_at }) => <Moment at={started_at} />, isMinor: true },
  {
    name: 'took',
    head: t.columns.took,
    cell: ({ started_at, finished_at }) => tookText(started_at, finished_at),
    isNumber: true,
    isMinor: true,
  },
];

function Why({ run }: { run: RunRow }) {
  const { progress, status, end_reason } = run;
  if (run.next_attempt_at !== null) return <NextAttempt run={run} />;
  const words =
    status === 'running' && progress ? `${progress.label} ${runsText.progress(progress.current, progress.total)}` : endWords(end_reason);
  return <span className="muted">{words}</span>;
}

const views: readonly { name: string; search: RunsSearch }[] = [
  { name: t.all, search: {} },
  { name: t.views.open, search: { status: 'running' } },
  { name: t.views.needs, search: { waiting: 'prompt' } },
  { name: t.views.failed, search: { status: 'failed' } },
  { name: t.views.dry, search: { dry: 'only' } },
];

/** The runs of all tasks, as they go. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mayCancel = useMay()('admin_api.ai_tasks.write');
  const page = useQuery(runsPage(search));
  const [selected, setSelected] = useState<ReadonlyMap<number, RunRow>>(new Map());
  const go = (next: RunsSearch): void => void navigate({ search: next });
  const filters = without(search, 'cursor');
  const nextCursor = page.data?.next_cursor;
  useEffect(() => {
    if (nextCursor) void queries.prefetchQuery(runsPage({ ...search, cursor: nextCursor }));
  }, [nextCursor, queries, search]);
  const rows = page.data?.data;
  /** A selected run may have ended since; what is known of it now counts. */
  const chosen = [...selected.values()].map((run) => rows?.find(({ id }) => id === run.id) ?? run);

  return (
    <>
      <PageHead title={t.title} />
      <Toolbar>
        {views.map((view) => (
          <ViewTab key={view.name} isOn={isSame(filters, view.search)} onClick={() => go(view.search)}>
            {view.name}
          </ViewTab>
        ))}
      </Toolbar>
      <Filters filters={filters} go={go} />
      {chosen.length > 0 && mayCancel ? <CancelBar runs={chosen} clear={() => setSelected(new Map())} /> : null}
      <List
        label={t.title}
        query={{ ...page, data: rows }}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ task_name, id }) => `${task_name}, ${runsText.run(id)}`}
        onOpen={({ id, task_id }) => void navigate({ to: '/tasks/$id/runs/$r', params: { id: task_id, r: id } })}
        {...(mayCancel
          ? {
              selection: {
                ids: new Set(selected.keys()),
                set: (ids: ReadonlySet<number>) => setSelected(rowsOf(ids, [...selected.values(), ...(rows ?? [])])),
              },
            }
          : {})}
        empty={t.empty}
        dropFilters={isSame(filters, {}) ? undefined : () => go({})}
      />
      <Pager cursor={search.cursor} next={nextCursor} go={(cursor) => go(cursor === undefined ? filters : { ...filters, cursor })} />
    </>
  );
}

function rowsOf(ids: ReadonlySet<number>, known: readonly RunRow[]): Map<number, RunRow> {
  return new Map(known.filter(({ id }) => ids.has(id)).map((run) => [run.id, run]));
}

type FiltersProps = { filters: Omit<RunsSearch, 'cursor'>; go(search: RunsSearch): void };

function Filters({ filters, go }: FiltersProps) {
  const f = t.filters;
  const set = <K extends keyof typeof filters>(name: K, value: RunsSearch[K] | ''): void =>
    go(value === '' || value === undefined ? without(filters, name) : { ...filters, [name]: value });
  const known: readonly string[] = statuses;
  const own = filters.status !== undefined && !known.includes(filters.status) ? [filters.status] : [];
  return (
    <div className="filters wide">
      <SelectField
        label={f.status}
        options={[['', f.anyStatus], ...[...statuses, ...own].map((status) => [status, runPartsText.status[status] ?? status] as const)]}
        value={filters.status ?? ''}
        onValue={(status) => set('status', status)}
      />
      <SelectField
        label={f.waiting}
        options={[['', f.anyWaiting], ...waitingReasons.map((reason) => [reason, runPartsText.waiting[reason]] as const)]}
        value={filters.waiting ?? ''}
        onValue={(reason) => set('waiting', reason)}
      />
      <SelectField
        label={f.dry}
        options={[
          ['', f.anyDry],
          ['only', f.onlyDry],
          ['none', f.noDry],
        ]}
        value={filters.dry ?? ''}
        onValue={(dry) => set('dry', dry)}
      />
      <TextField label={f.from} type="date" value={filters.from ?? ''} onValue={(from) => set('from', from)} />
      <TextField label={f.to} type="date" value={filters.to ?? ''} onValue={(to) => set('to', to)} />
      {filters.task === undefined ? (
        <Picker label={f.task} search={foundTasks} onPick={({ id }) => set('task', id)} />
      ) : (
        <TaskFilter id={filters.task} drop={() => go(without(filters, 'task'))} />
      )}
    </div>
  );
}

function TaskFilter({ id, drop }: { id: number; drop(): void }) {
  const task = useQuery(taskRecord(id));
  const name = task.data?.value.task.name ?? String(id);
  return (
    <Button className="task-filter" onClick={drop}>
      {t.filters.ofTask(name)} <span aria-hidden="true">×</span>
      <span className="visually-hidden">{t.filters.drop(name)}</span>
    </Button>
  );
}

function isSame(a: RunsSearch, b: RunsSearch): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
