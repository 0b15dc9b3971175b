import { getRouteApi } from '@tanstack/react-router';
import type { Schedule } from '../../../../contract/schedules.ts';
import { ListPage } from '../../../parts/list-page.tsx';
import { recordSheet } from '../../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay, useShop } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TaskFrame } from '../frame.tsx';
import { RunLink } from '../parts.tsx';
import { schedules, type TaskDetail } from '../queries.ts';
import { scheduleKind } from './schedule-sheet.tsx';

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
  const navigate = route.useNavigate();
  const { timezone } = useShop();
  const mayWrite = useMay()('admin_api.ai_tasks.write') && detail.task.deleted_at === null;
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <ListPage
      title={tasksText.tabs.schedules}
      search={search}
      patch={patch}
      page={() => schedules(id).list}
      columns={columns}
      nameOf={({ cron }) => cron}
      empty={t.empty}
      create={mayWrite ? t.create : undefined}
      sheet={() =>
        recordSheet(scheduleKind(detail, timezone, mayWrite), {
          id: search.open,
          mayChange: mayWrite,
          close: () => patch({ open: undefined, new: undefined }),
          open: (made) => patch({ open: made, new: undefined }),
        })
      }
    />
  );
}
