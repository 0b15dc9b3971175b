import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import type { TaskError } from '../../../contract/task-errors.ts';
import { countText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { defined, without } from '../../parts/search.ts';
import { useTaskName } from '../../parts/task-field.tsx';
import { taskRecord } from '../../parts/tasks.ts';
import { Moment } from '../../parts/values.tsx';
import { errorsText as t } from '../../texts/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { PageHead } from '../../ui/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { Column } from '../../ui/table.tsx';
import { Pager, SearchField, Toolbar, ViewTab } from '../../ui/toolbar.tsx';
import { Days } from './days.tsx';
import { errorsPage } from './queries.ts';
import type { ErrorsSearch } from './routes.ts';
import './page.css';

const route = getRouteApi('/errors');

const columns: Column<TaskError>[] = [
  {
    name: 'error',
    head: t.columns.error,
    cell: (error) => (
      <span className="error-text">
        <span>{wordsOf(error)}</span>
        <span className="muted">
          {error.task_name}
          {error.returned_at !== null && error.state === 'open' ? <span className="tag need">{t.returned}</span> : null}
        </span>
      </span>
    ),
  },
  { name: 'days', head: t.columns.days, cell: ({ days }) => <Days days={days} />, isMinor: true },
  { name: 'count', head: t.columns.count, cell: ({ count }) => countText(count), isNumber: true },
  { name: 'versions', head: t.columns.versions, cell: versionsCell, isNumber: true, isMinor: true },
  { name: 'last', head: t.columns.last, cell: ({ last_seen_at }) => <Moment at={last_seen_at} />, isMinor: true },
];
const withState: Column<TaskError>[] = [...columns, { name: 'state', head: t.columns.state, cell: ({ state }) => t.states[state] }];

const views = [
  [undefined, t.tabs.open],
  ['resolved', t.tabs.resolved],
  ['ignored', t.tabs.ignored],
  ['all', t.tabs.all],
] as const;

/** The errors of all tasks. */
export function ErrorsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = useQuery(errorsPage(search));
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  const go = (next: ErrorsSearch): void => void navigate({ search: next });
  const filters = without(search, 'cursor');
  const next = page.data?.next_cursor;
  const isFiltered = search.q !== undefined || search.task !== undefined || search.version !== undefined || search.state !== undefined;
  return (
    <>
      <PageHead title={t.title} note={t.note} />
      <Toolbar>
        {views.map(([state, name]) => (
          <ViewTab key={name} isOn={search.state === state} onClick={() => go({ ...without(filters, 'state'), ...defined({ state }) })}>
            {name}
          </ViewTab>
        ))}
      </Toolbar>
      <Toolbar>
        <SearchField
          field={field}
          label={t.search}
          value={search.q ?? ''}
          set={(q) => go({ ...without(filters, 'q'), ...(q === '' ? {} : { q }) })}
        />
        {search.task === undefined ? null : (
          <>
            <TaskFilter id={search.task} drop={() => go(without(without(filters, 'task'), 'version'))} />
            <VersionField
              taskId={search.task}
              version={search.version}
              set={(version) => go({ ...without(filters, 'version'), ...defined({ version }) })}
            />
          </>
        )}
      </Toolbar>
      <List
        label={t.title}
        query={{ ...page, data: page.data?.data }}
        columns={search.state === 'all' ? withState : columns}
        idOf={({ id }) => id}
        nameOf={wordsOf}
        onOpen={({ id }) => void navigate({ to: '/errors/$id', params: { id: String(id) } })}
        blank={blanks.errors}
        empty={t.empty}
        noMatch={next ? t.further : undefined}
        dropFilters={isFiltered ? () => go({}) : undefined}
      />
      <Pager cursor={search.cursor} next={next} go={(cursor) => go({ ...filters, ...defined({ cursor }) })} />
    </>
  );
}

function wordsOf({ message, withheld }: TaskError): string {
  return message ?? (withheld.length > 0 ? t.withheld : t.noMessage);
}

/** The first and the last version that it was seen in. */
function versionsCell({ versions }: TaskError) {
  const [last, first] = [versions[0]?.version, versions.at(-1)?.version];
  if (last === undefined || first === undefined) return null;
  return <data value={last}>{first === last ? last : `${first}–${last}`}</data>;
}

/** Each task counts its versions for itself, so they are offered with a task alone. */
function VersionField({ taskId, version, set }: { taskId: number; version: number | undefined; set(version: number | undefined): void }) {
  const task = useQuery(taskRecord(taskId));
  const numbers = (task.data?.value.versions ?? []).map((one) => one.version);
  const all = version === undefined || numbers.includes(version) ? numbers : [version, ...numbers];
  return (
    <SelectField
      label={t.inVersion}
      value={version === undefined ? '' : String(version)}
      options={[['', t.anyVersion] as const, ...all.map((one) => [String(one), String(one)] as const)]}
      onValue={(one) => set(one === '' ? undefined : Number(one))}
    />
  );
}

function TaskFilter({ id, drop }: { id: number; drop(): void }) {
  const name = useTaskName(id);
  return (
    <Button className="task-filter" onClick={drop}>
      {t.ofTask(name)} <span aria-hidden="true">×</span>
      <span className="visually-hidden">{t.drop(name)}</span>
    </Button>
  );
}
