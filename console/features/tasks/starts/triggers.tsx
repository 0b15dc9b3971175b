import { getRouteApi } from '@tanstack/react-router';
import type { Trigger } from '../../../../contract/triggers.ts';
import { blanks } from '../../../parts/blanks.ts';
import { eventNames } from '../../../texts/events.ts';
import { tasksText } from '../../../texts/tasks.ts';
import type { Column } from '../../../ui/table.tsx';
import { triggers } from '../queries.ts';
import { rowsOfFilter } from './event-filter.ts';
import { StartsPage } from './starts.tsx';
import { triggerKind } from './trigger-sheet.tsx';

const t = tasksText.triggers;
const route = getRouteApi('/tasks/$id/triggers');

const columns: Column<Trigger>[] = [
  { name: 'event', head: t.columns.event, cell: ({ event }) => eventNames[event] },
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
];

export function TriggersPage() {
  const navigate = route.useNavigate();
  return (
    <StartsPage
      taskId={Number(route.useParams().id)}
      search={route.useSearch()}
      go={(search) => void navigate({ search })}
      title={tasksText.tabs.triggers}
      list={(id) => triggers(id).list}
      columns={columns}
      nameOf={({ event }) => eventNames[event]}
      texts={t}
      blank={blanks.triggers}
      kind={triggerKind}
    />
  );
}
