import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schedule } from '../../../../contract/schedules.ts';
import { without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { WithSheet } from '../../../ui/sheet.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Toolbar } from '../../../ui/toolbar.tsx';
import { TaskFrame } from '../frame.tsx';
import { RunLink } from '../parts.tsx';
import { type TaskDetail, taskSchedules } from '../queries.ts';
import { NewSchedule, ScheduleSheet } from './schedule-sheet.tsx';

const t = tasksText.schedules;
const route = getRouteApi('/tasks/$id/schedules');

const columns: Column<Schedule>[] = [
  {
    name: 'cron',
    head: t.columns.cron,
    cell: ({ cron, timezone }) => (
      <>
        <code>{cron}</code> <span className="muted">{timezone}</span>
      </>
    ),
  },
  { name: 'next', head: t.columns.next, cell: ({ next_at }) => (next_at === null ? null : <Moment at={next_at} />) },
  {
    name: 'last',
    head: t.columns.last,
    cell: ({ task_id, last_at, last_run_id }) =>
      last_at === null || last_run_id === null ? (
        <span className="muted">{tasksText.never}</span>
      ) : (
        <RunLink taskId={task_id} runId={last_run_id}>
          <Moment at={last_at} />
        </RunLink>
      ),
    isMinor: true,
  },
  { name: 'state', head: t.columns.state, cell: (schedule) => <State schedule={schedule} /> },
];

function State({ schedule: { enabled, last_error } }: { schedule: Schedule }) {
  if (!enabled) return <Status tone="rest">{t.off}</Status>;
  return last_error === null ? <span className="muted">{t.on}</span> : <Status tone="fail">{t.failed}</Status>;
}

export function SchedulesPage() {
  const id = Number(route.useParams().id);
  return <TaskFrame id={id}>{({ value }) => <Schedules detail={value} />}</TaskFrame>;
}

function Schedules({ detail }: { detail: TaskDetail }) {
  const { id } = detail.task;
  const search = route.useSearch();
  const go = route.useNavigate();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const schedules = useQuery(taskSchedules(id));
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
      <NewSchedule detail={detail} close={close} opened={(open) => void go({ search: { open }, ignoreBlocker: true })} />
    ) : search.open === undefined ? null : (
      <ScheduleSheet key={search.open} detail={detail} scheduleId={search.open} mayWrite={mayWrite} close={close} />
    );
  return (
    <WithSheet sheet={sheet}>
      <Toolbar>{schedules.data?.length ? createButton : null}</Toolbar>
      <List
        label={tasksText.tabs.schedules}
        query={schedules}
        columns={columns}
        idOf={(schedule) => schedule.id}
        nameOf={({ cron }) => cron}
        open={search.open}
        onOpen={(schedule) => void go({ search: { open: schedule.id } })}
        empty={t.empty}
        emptyAct={createButton}
      />
    </WithSheet>
  );
}
