import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { blanks } from '../../parts/blanks.ts';
import { RunStatus } from '../../parts/run-status.tsx';
import { without } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { text } from '../../texts/app.ts';
import { examplesText } from '../../texts/examples.ts';
import { tasksText as t } from '../../texts/tasks.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Tick } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { PageHead, Section } from '../../ui/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Pager, SearchField, Toolbar } from '../../ui/toolbar.tsx';
import { KeptDraft } from './editor/kept-draft.tsx';
import { FirstExamples } from './examples/gallery.tsx';
import { RunLink } from './parts.tsx';
import { TASKS_PER_PAGE, type TaskRow, tasksPage } from './queries.ts';
import './page.css';

const route = getRouteApi('/tasks');

const columns: Column<TaskRow>[] = [
  {
    name: 'name',
    head: t.columns.name,
    cell: ({ name, description }) => (
      <span className="task-name">
        {name} <span className="muted">{description}</span>
      </span>
    ),
  },
  { name: 'state', head: t.columns.state, cell: (task) => <TaskState task={task} /> },
  { name: 'last', head: t.columns.lastRun, cell: (task) => <LastRun task={task} />, isMinor: true },
  {
    name: 'next',
    head: t.columns.nextRun,
    cell: ({ next_run_at }) => (next_run_at === null ? null : <Moment at={next_run_at} />),
    isMinor: true,
  },
  {
    name: 'version',
    head: t.columns.version,
    cell: ({ current_version }) => <data value={current_version ?? ''}>{current_version}</data>,
    isNumber: true,
    isMinor: true,
  },
];

export function TasksPage() {
  const search = route.useSearch();
  const go = route.useNavigate();
  const navigate = useNavigate();
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const page = useQuery(tasksPage(search));
  const field = useRef<HTMLInputElement>(null);
  const filters = without(search, 'cursor');
  const create = (): void => void navigate({ to: '/tasks/new' });
  useShortcuts({ '/': () => field.current?.focus(), ...(mayWrite ? { n: create } : {}) });
  const next = page.data ? Number(search.cursor ?? 0) + TASKS_PER_PAGE : 0;
  const createLink = mayWrite ? (
    <ButtonLink kind="first" keys="n" to="/tasks/new">
      {t.create}
    </ButtonLink>
  ) : null;
  const isEmpty = page.data?.total === 0 && filters.q === undefined;
  return (
    <>
      <PageHead title={t.title} note={page.data ? t.count(page.data.total) : ' '}>
        {isEmpty ? null : createLink}
      </PageHead>
      {mayWrite ? <KeptDraft /> : null}
      <Toolbar>
        <SearchField
          field={field}
          label={t.search}
          value={search.q ?? ''}
          set={(q) => void go({ search: q === '' ? without(filters, 'q') : { ...filters, q } })}
        />
        <Tick
          label={t.withDeleted}
          checked={search.deleted === true}
          onValue={(deleted) => void go({ search: deleted ? { ...filters, deleted } : without(filters, 'deleted') })}
        />
      </Toolbar>
      <List
        label={t.title}
        query={{ ...page, data: page.data?.tasks }}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        onOpen={({ id }) => void navigate({ to: '/tasks/$id', params: { id: String(id) } })}
        blank={blanks.tasks}
        empty={t.empty}
        emptyAct={createLink}
        filteredBy={filters.q === undefined ? undefined : text.list.quoted(filters.q)}
        dropFilters={filters.q === undefined ? undefined : () => void go({ search: without(filters, 'q') })}
      />
      {mayWrite && isEmpty ? (
        <Section title={examplesText.inEmptyShop}>
          <FirstExamples />
        </Section>
      ) : null}
      <Pager
        cursor={search.cursor}
        next={page.data && next < page.data.total ? String(next) : null}
        go={(cursor) => void go({ search: cursor === undefined ? filters : { ...filters, cursor } })}
      />
    </>
  );
}

/** What is worth knowing about a task at a glance; the first that holds. */
function TaskState({ task }: { task: TaskRow }) {
  if (task.deleted_at !== null) return <Status tone="rest">{t.deleted}</Status>;
  if (task.pending_version_id !== null) return <Status tone="need">{t.state.waits}</Status>;
  if (task.asking_runs > 0) return <Status tone="need">{t.state.asking(task.asking_runs)}</Status>;
  if (task.open_runs > 0) return <Status tone="move">{t.state.running(task.open_runs)}</Status>;
  if (task.current_version === null) return <Status tone="rest">{t.state.noVersion}</Status>;
  return <span className="muted">{t.state.ready}</span>;
}

function LastRun({ task }: { task: TaskRow }) {
  if (task.last_run_id === null || task.last_run_at === null || task.last_run_status === null) {
    return <span className="muted">{t.never}</span>;
  }
  return (
    <span className="last-run">
      <RunStatus run={{ status: task.last_run_status, waiting_reason: task.last_run_asks ? 'prompt' : null }} />
      <RunLink taskId={task.id} runId={task.last_run_id}>
        <Moment at={task.last_run_at} />
      </RunLink>
    </span>
  );
}
