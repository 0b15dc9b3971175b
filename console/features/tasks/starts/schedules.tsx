import { getRouteApi } from '@tanstack/react-router';
import type { Schedule } from '../../../../contract/schedules.ts';
import { blanks } from '../../../parts/blanks.ts';
import { useShop } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import type { Column } from '../../../ui/table.tsx';
import { RunLink } from '../parts.tsx';
import { schedules } from '../queries.ts';
import { cronWords } from './cron-words.ts';
import { scheduleKind } from './schedule-sheet.tsx';
import { StartsPage } from './starts.tsx';

const t = tasksText.schedules;
const route = getRouteApi('/tasks/$id/schedules');

const columns: Column<Schedule>[] = [
  {
    name: 'cron',
    head: t.columns.cron,
    cell: ({ cron, timezone }) => (
      <>
        <span title={cron}>{cronWords(cron)}</span> <span className="muted">{timezone}</span>
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
];

export function SchedulesPage() {
  const navigate = route.useNavigate();
  const { timezone } = useShop();
  return (
    <StartsPage
      taskId={Number(route.useParams().id)}
      search={route.useSearch()}
      go={(search) => void navigate({ search })}
      title={tasksText.tabs.schedules}
      list={(id) => schedules(id).list}
      columns={columns}
      nameOf={({ cron }) => cronWords(cron)}
      texts={t}
      blank={blanks.schedules}
      kind={(detail, mayWrite) => scheduleKind(detail, timezone, mayWrite)}
    />
  );
}
