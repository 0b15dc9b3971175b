import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { RunRow } from '../../../../contract/runs.ts';
import { blanks } from '../../../parts/blanks.ts';
import { RunMarks } from '../../../parts/run-marks.tsx';
import { endWords, NextAttempt, RunAbout, RunStatus, StartedBy } from '../../../parts/run-status.tsx';
import { isSame, without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { runBulkText } from '../../../texts/run-bulk.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { PageHead } from '../../../ui/page.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import type { Column } from '../../../ui/table.tsx';
import { Took } from '../../../ui/took.tsx';
import { Pager, SelectionPlace } from '../../../ui/toolbar.tsx';
import { runsPage } from '../queries.ts';
import type { RunsSearch } from '../search.ts';
import { BulkAll, BulkAllDone, type BulkDone, useBulkAll } from './bulk-all.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { RunFilters, StatusTabs, useFilterWords } from './filters.tsx';
import '../page.css';

const t = runsText.list;
const route = getRouteApi('/runs');

const columns: Column<RunRow>[] = [
  {
    name: 'run',
    head: t.columns.run,
    cell: ({ id }) => (
      <data className="muted" value={id}>
        {id}
      </data>
    ),
    isNumber: true,
    isMinor: true,
  },
  {
    name: 'task',
    head: t.columns.task,
    cell: (run) => (
      <span className="wrap">
        {run.task_name} <RunMarks run={run} /> <RunAbout run={run} />
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
    cell: ({ started_at, finished_at }) => <Took from={started_at} to={finished_at} />,
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

/** The runs of all tasks, as they go. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mayChange = useMay()('admin_api.ai_tasks.write');
  const page = useQuery(runsPage(search));
  const [selected, setSelected] = useState<ReadonlyMap<number, RunRow>>(new Map());
  const go = (next: RunsSearch): void => void navigate({ search: next });
  const filters = without(search, 'cursor');
  const words = useFilterWords(filters);
  const field = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [result, setResult] = useState<BulkDone | null>(null);
  const bulkAll = useBulkAll((outcome) => {
    setResult(outcome);
    setAsking(false);
  });
  useShortcuts({ '/': () => field.current?.focus() });
  const nextCursor = page.data?.next_cursor;
  useEffect(() => {
    if (nextCursor) void queries.prefetchQuery(runsPage({ ...search, cursor: nextCursor }));
  }, [nextCursor, queries, search]);
  const rows = page.data?.data;
  /** A selected run may have ended since; what is known of it now counts. */
  const chosen = [...selected.values()].map((run) => rows?.find(({ id }) => id === run.id) ?? run);

  return (
    <>
      <PageHead title={t.title}>
        {mayChange && rows && rows.length > 0 ? (
          <Button disabled={bulkAll.isPending} onClick={() => setAsking(true)}>
            {runBulkText.open}
          </Button>
        ) : null}
      </PageHead>
      <StatusTabs filters={filters} go={go} />
      <RunFilters filters={filters} go={go} field={field} />
      {result === null ? null : <BulkAllDone result={result} close={() => setResult(null)} />}
      {isAsking ? <BulkAll filters={filters} words={words} act={bulkAll} close={() => setAsking(false)} /> : null}
      <List
        label={t.title}
        query={{ ...page, data: rows }}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ task_name, id }) => `${task_name}, ${runsText.run(id)}`}
        onOpen={({ id, task_id }) => void navigate({ to: '/tasks/$id/runs/$r', params: { id: task_id, r: id } })}
        {...(mayChange
          ? {
              selection: {
                ids: new Set(selected.keys()),
                set: (ids: ReadonlySet<number>) => setSelected(rowsOf(ids, [...selected.values(), ...(rows ?? [])])),
              },
            }
          : {})}
        blank={blanks.runs}
        empty={t.empty}
        noMatch={nextCursor ? t.further : undefined}
        filteredBy={words.join(', ')}
        dropFilters={isSame(filters, {}) ? undefined : () => go({})}
      />
      <Pager cursor={search.cursor} next={nextCursor} go={(cursor) => go(cursor === undefined ? filters : { ...filters, cursor })} />
      <SelectionPlace>
        {chosen.length > 0 && mayChange ? <BulkBar runs={chosen} clear={() => setSelected(new Map())} /> : null}
      </SelectionPlace>
    </>
  );
}

function rowsOf(ids: ReadonlySet<number>, known: readonly RunRow[]): Map<number, RunRow> {
  return new Map(known.filter(({ id }) => ids.has(id)).map((run) => [run.id, run]));
}
