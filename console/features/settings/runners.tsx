import { useQuery } from '@tanstack/react-query';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { List } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { runnerStatus } from './queries.ts';

const t = settingsText.runners;

/** The runners that the server knows, and what waits for one. */
export function RunnersSection() {
  const status = useQuery(runnerStatus);
  const rows = status.data?.runners.map((runner, id) => ({ ...runner, id }));
  return (
    <Section title={t.title}>
      {status.data ? (
        <Facts
          facts={[
            [t.waiting, t.runs(status.data.queue_depth)],
            ...(status.data.oldest_queued_seconds === null ? [] : [[t.oldest, t.seconds(status.data.oldest_queued_seconds)] as const]),
          ]}
        />
      ) : null}
      <List
        label={t.title}
        query={{ ...status, data: rows }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t.none}
        blank={{ drawing: 'plug' }}
        columns={[
          { name: 'name', head: t.columns.name, cell: ({ name }) => <code>{name}</code> },
          { name: 'running', head: t.columns.running, cell: ({ running, slots }) => t.ofSlots(running, slots) },
          {
            name: 'layers',
            head: t.columns.layers,
            cell: ({ isolation }) => <span className="wrap">{isolation.join(', ')}</span>,
            isMinor: true,
          },
          { name: 'seen', head: t.columns.seen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} kind="second" /> },
          { name: 'version', head: t.columns.version, cell: ({ version }) => version, isMinor: true },
        ]}
      />
    </Section>
  );
}
