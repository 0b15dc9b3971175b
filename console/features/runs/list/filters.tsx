import { useQuery } from '@tanstack/react-query';
import { dayText, momentText } from '../../../language/formats.ts';
import { adminNames } from '../../../parts/admin-names.ts';
import { MomentField } from '../../../parts/moment-field.tsx';
import { startedByText, useStarterName } from '../../../parts/run-status.tsx';
import { isSame, without } from '../../../parts/search.ts';
import { useShop } from '../../../parts/shop.ts';
import { useTaskName } from '../../../parts/task-field.tsx';
import { foundTasks } from '../../../parts/tasks.ts';
import { runPartsText } from '../../../texts/run-parts.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { DateField } from '../../../ui/date-field.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { MoreFilters, SearchField, Toolbar, ViewTab } from '../../../ui/toolbar.tsx';
import { runCounts } from '../queries.ts';
import { endReasons, type RunsSearch, statuses, waitingReasons } from '../search.ts';

const t = runsText.list;

type Filters = Omit<RunsSearch, 'cursor'>;
type Props = { filters: Filters; go(search: RunsSearch): void };

/** How many of the runs that meet the other filters are in each status. A status without any is left out. */
export function StatusTabs({ filters, go }: Props) {
  const others = without(filters, 'status');
  const { data } = useQuery(runCounts(others));
  const counts = new Map(data?.counts.map(({ status, count }) => [status, count]));
  const known: readonly string[] = statuses;
  const own = [...counts.keys()].filter((status) => !known.includes(status));
  const shown = [...known, ...own].filter((status) => counts.has(status) || status === filters.status);
  const more = data?.is_complete === false ? '+' : '';
  return (
    <Toolbar>
      <ViewTab isOn={filters.status === undefined} onClick={() => go(others)}>
        {t.all} <Count of={data?.total} more={more} />
      </ViewTab>
      {shown.map((status) => (
        <ViewTab key={status} isOn={filters.status === status} onClick={() => go({ ...others, status })}>
          {runPartsText.status[status] ?? status} <Count of={data ? (counts.get(status) ?? 0) : undefined} more={more} />
        </ViewTab>
      ))}
      {views.map(({ name, search }) => (
        <ViewTab key={name} isOn={isSame(filters, search)} onClick={() => go(search)}>
          {name}
        </ViewTab>
      ))}
    </Toolbar>
  );
}

/** What people look for most often, beside the statuses. */
const views: readonly { name: string; search: RunsSearch }[] = [
  { name: t.views.needs, search: { waiting: 'prompt' } },
  { name: t.views.dry, search: { dry: 'only' } },
];

/** The filters in words, for somebody who is about to act on all runs that match them. */
export function useFilterWords({ status, waiting, dry, end, by, since, from, to, q, task }: Filters): string[] {
  const { timezone } = useShop();
  const starter = useStarterName();
  const taskName = useTaskName(task);
  const f = t.filters;
  return [
    ...(status === undefined ? [] : [runPartsText.status[status] ?? status]),
    ...(waiting === undefined ? [] : [runPartsText.waiting[waiting]]),
    ...(end === undefined ? [] : [f.words.end(f.ends[end] ?? runPartsText.ended[end])]),
    ...(by === undefined ? [] : [f.words.by(starter(by))]),
    ...(dry === undefined ? [] : [dry === 'only' ? f.onlyDry : f.noDry]),
    ...(from === undefined ? [] : [f.words.from(dayText(from))]),
    ...(to === undefined ? [] : [f.words.to(dayText(to))]),
    ...(since === undefined ? [] : [f.words.since(momentText(since, timezone, 'minute'))]),
    ...(q === undefined ? [] : [f.words.q(q)]),
    ...(task === undefined ? [] : [f.ofTask(taskName)]),
  ];
}

function Count({ of, more }: { of: number | undefined; more: string }) {
  return of === undefined ? null : <span className="muted">{`${runsText.count(of)}${more}`}</span>;
}

export function RunFilters({ filters, go, field }: Props & { field: React.RefObject<HTMLInputElement | null> }) {
  const f = t.filters;
  const { timezone } = useShop();
  const admins = useQuery(adminNames).data ?? [];
  const set = <K extends keyof Filters>(name: K, value: Filters[K] | '' | null): void =>
    go(value === '' || value === null || value === undefined ? without(filters, name) : { ...filters, [name]: value });
  const starters = admins.map(({ id, name }): [string, string] => [`admin:${id}`, name]);
  const own: [string, string][] =
    filters.by === undefined || starters.some(([by]) => by === filters.by) ? [] : [[filters.by, startedByText(filters.by)]];
  return (
    <Toolbar>
      <SearchField field={field} label={f.q} value={filters.q ?? ''} set={(q) => set('q', q)} />
      <MoreFilters isSet={!isSame(without(without(filters, 'q'), 'status'), {})}>
        <SelectField
          label={f.waiting}
          options={[['', f.anyWaiting], ...waitingReasons.map((reason) => [reason, runPartsText.waiting[reason]] as const)]}
          value={filters.waiting ?? ''}
          onValue={(reason) => set('waiting', reason)}
        />
        <SelectField
          label={f.end}
          options={[['', f.anyEnd], ...endReasons.map((reason) => [reason, f.ends[reason] ?? runPartsText.ended[reason]] as const)]}
          value={filters.end ?? ''}
          onValue={(reason) => set('end', reason)}
        />
        <SelectField
          label={f.by}
          options={[['', f.anyone], ...starters, ...own]}
          value={filters.by ?? ''}
          onValue={(by) => set('by', by)}
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
        <DateField label={f.from} value={filters.from ?? ''} onValue={(from) => set('from', from)} />
        <DateField label={f.to} value={filters.to ?? ''} onValue={(to) => set('to', to)} />
        <MomentField label={f.sinceIn(timezone)} hint={null} value={filters.since ?? null} onValue={(since) => set('since', since)} />
        {filters.task === undefined ? (
          <Picker label={f.task} search={(typed) => foundTasks(typed, { include_deleted: true })} onPick={({ id }) => set('task', id)} />
        ) : (
          <TaskFilter id={filters.task} drop={() => go(without(filters, 'task'))} />
        )}
      </MoreFilters>
    </Toolbar>
  );
}

function TaskFilter({ id, drop }: { id: number; drop(): void }) {
  const name = useTaskName(id);
  return (
    <Button className="task-filter" onClick={drop}>
      {t.filters.ofTask(name)} <span aria-hidden="true">×</span>
      <span className="visually-hidden">{t.filters.drop(name)}</span>
    </Button>
  );
}
