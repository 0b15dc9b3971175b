import { getRouteApi } from '@tanstack/react-router';
import type { Trigger } from '../../../../contract/triggers.ts';
import { ListPage } from '../../../parts/list-page.tsx';
import { recordSheet } from '../../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TaskFrame } from '../frame.tsx';
import { type TaskDetail, triggers } from '../queries.ts';
import { rowsOfFilter } from './event-filter.ts';
import { triggerKind } from './trigger-sheet.tsx';

const t = tasksText.triggers;
const route = getRouteApi('/tasks/$id/triggers');

const columns: Column<Trigger>[] = [
  { name: 'event', head: t.columns.event, cell: ({ event }) => t.events[event] },
  {
    name: 'filter',
    head: t.columns.filter,
    cell: ({ filter }) => {
      const rows = rowsOfFilter(filter);
      if (rows.length === 0) return <span className="muted">{t.any}</span>;
      return rows.map(({ field, values }) => `${field} = ${values}`).join(', ');
    },
    isMinor: true,
  },
  { name: 'state', head: t.columns.state, cell: (trigger) => <State trigger={trigger} /> },
];

function State({ trigger: { enabled, last_error } }: { trigger: Trigger }) {
  const s = tasksText.schedules;
  if (!enabled) return <Status tone="rest">{s.off}</Status>;
  return last_error === null ? <span className="muted">{s.on}</span> : <Status tone="fail">{s.failed}</Status>;
}

export function TriggersPage() {
  const id = Number(route.useParams().id);
  return <TaskFrame id={id}>{({ value }) => <Triggers detail={value} />}</TaskFrame>;
}

function Triggers({ detail }: { detail: TaskDetail }) {
  const { id } = detail.task;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <ListPage
      title={tasksText.tabs.triggers}
      search={search}
      patch={patch}
      page={() => triggers(id).list}
      columns={columns}
      nameOf={({ event }) => t.events[event]}
      empty={t.empty}
      create={mayWrite ? t.create : undefined}
      sheet={() =>
        recordSheet(triggerKind(detail, mayWrite), {
          id: search.open,
          mayChange: mayWrite,
          close: () => patch({ open: undefined, new: undefined }),
          open: (made) => patch({ open: made, new: undefined }),
        })
      }
    />
  );
}
