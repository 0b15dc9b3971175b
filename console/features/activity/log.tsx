import { useQuery } from '@tanstack/react-query';
import { blanks } from '../../parts/blanks.ts';
import { defined } from '../../parts/search.ts';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { SelectField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Pager, Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { logPage } from './queries.ts';

const t = activityText.log;
const sources = ['all', 'admin', 'ai_task', 'webhook', 'mcp'] as const;

const words = (status: string): string => t.results[status] ?? status;

/** The admin log: what was done, and what came in from other systems. */
export function LogList({ search, go }: ListProps) {
  const page = useQuery(logPage(search));
  const source = sources.find((one) => one === search.source) ?? 'all';
  return (
    <>
      <Toolbar>
        <SelectField
          label={t.source}
          value={source}
          options={sources.map((one) => [one, t.sources[one]] as const)}
          onValue={(one) => go(one === 'all' ? {} : { source: one })}
        />
      </Toolbar>
      <List
        label={activityText.kinds.log}
        query={{ ...page, data: page.data?.logs }}
        idOf={({ id }) => id}
        nameOf={({ summary }) => summary}
        blank={blanks.log}
        empty={t.none}
        dropFilters={source === 'all' ? undefined : () => go({})}
        columns={[
          {
            name: 'when',
            head: t.columns.when,
            cell: ({ created_at }) => <MutedMoment at={created_at} kind="second" />,
          },
          {
            name: 'who',
            head: t.columns.who,
            cell: ({ admin_name, run_id, source: from }) => (
              <>
                {admin_name ?? from}
                {run_id === null ? null : (
                  <span className="muted">
                    {' '}
                    · {t.run} {run_id}
                  </span>
                )}
              </>
            ),
            isMinor: true,
          },
          { name: 'what', head: t.columns.what, cell: ({ summary }) => <span className="wrap">{summary}</span> },
          {
            name: 'status',
            head: t.columns.status,
            cell: ({ status }) =>
              status !== 'success' ? <Status tone="fail">{words(status)}</Status> : <span className="muted">{words(status)}</span>,
            isMinor: true,
          },
        ]}
      />
      <Pager cursor={search.cursor} next={page.data?.next_cursor} go={(cursor) => go(defined({ ...search, cursor }))} />
    </>
  );
}
