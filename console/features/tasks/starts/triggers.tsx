import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Trigger } from '../../../../contract/triggers.ts';
import { without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { WithSheet } from '../../../ui/sheet.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Toolbar } from '../../../ui/toolbar.tsx';
import { TaskFrame } from '../frame.tsx';
import { type TaskDetail, taskTriggers } from '../queries.ts';
import { rowsOfFilter } from './event-filter.ts';
import { NewTrigger, TriggerSheet } from './trigger-sheet.tsx';

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
  const go = route.useNavigate();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const triggers = useQuery(taskTriggers(id));
  const create = (): void => void go({ search: { new: true } });
  const close = (): void => void go({ search: without(search, 'open', 'new') });
  useShortcuts({
    ...(mayWrite ? { n: create } : {}),
    ...(search.open === undefined && !search.new ? {} : { escape: close }),
  });
  const createButton = mayWrite ? (
    <Button kind="first" keys="n" onClick={create}>
      {t.create}
    </Button>
  ) : null;
  const sheet =
    search.new && mayWrite ? (
      <NewTrigger detail={detail} close={close} opened={(open) => void go({ search: { open }, ignoreBlocker: true })} />
    ) : search.open === undefined ? null : (
      <TriggerSheet key={search.open} detail={detail} triggerId={search.open} mayWrite={mayWrite} close={close} />
    );
  return (
    <WithSheet sheet={sheet}>
      <Toolbar>{triggers.data?.length ? createButton : null}</Toolbar>
      <List
        label={tasksText.tabs.triggers}
        query={triggers}
        columns={columns}
        idOf={(trigger) => trigger.id}
        nameOf={({ event }) => t.events[event]}
        open={search.open}
        onOpen={(trigger) => void go({ search: { open: trigger.id } })}
        empty={t.empty}
        emptyAct={createButton}
      />
    </WithSheet>
  );
}
