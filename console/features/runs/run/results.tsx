import { useMemo, useState } from 'react';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { valueText } from '../../../ui/change.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Toolbar, ViewTab } from '../../../ui/toolbar.tsx';
import type { ResultEvent, RunFeed } from '../log/feed.ts';
import { useFeed } from '../log/use-feed.ts';
import type { RunSearch } from '../search.ts';

const t = runsText.results;
const SHOWN = 200;

const columns: Column<ResultEvent>[] = [
  { name: 'status', head: t.columns.status, cell: ({ status }) => <span className="tag">{status}</span> },
  { name: 'item', head: t.columns.item, cell: ({ item }) => <span className="wrap">{item}</span> },
  {
    name: 'details',
    head: t.columns.details,
    cell: ({ details }) => (
      <span className="wrap">
        {Object.entries(details).map(([name, value], index) => (
          <span key={name}>
            {index === 0 ? '' : ' · '}
            <span className="muted">{name}</span> {valueText(value)}
          </span>
        ))}
      </span>
    ),
    isMinor: true,
  },
];

type Props = { feed: RunFeed; search: RunSearch; go(search: RunSearch): void };

/** What the script reports of each thing that it dealt with, counted by status. */
export function ResultsTab({ feed, search, go }: Props) {
  const count = useFeed(feed, ({ results }) => results.length);
  const [shown, setShown] = useState(SHOWN);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows in place; its length tells of it
  const counts = useMemo(() => countsOf(feed.results), [feed, count]);
  if (count === 0) return <Empty drawing="lines" title={t.none} />;
  const chosen = search.result !== undefined && counts.has(search.result) ? search.result : undefined;
  const rows = chosen === undefined ? feed.results : feed.results.filter(({ status }) => status === chosen);
  const show = (status?: string): void => {
    setShown(SHOWN);
    go({ tab: 'results', ...(status === undefined ? {} : { result: status }) });
  };
  return (
    <>
      <Toolbar>
        <ViewTab isOn={chosen === undefined} onClick={() => show()}>
          {t.all} <span className="muted">{runsText.count(count)}</span>
        </ViewTab>
        {[...counts].map(([status, number]) => (
          <ViewTab key={status} isOn={status === chosen} onClick={() => show(status)}>
            {status} <span className="muted">{runsText.count(number)}</span>
          </ViewTab>
        ))}
      </Toolbar>
      <Table
        label={t.label}
        rows={rows.slice(0, shown)}
        columns={columns}
        idOf={({ line }) => line}
        nameOf={({ item }) => item}
        onOpen={({ line }) => go({ tab: 'log', line })}
      />
      {rows.length > shown ? (
        <div className="more">
          <Button onClick={() => setShown(shown + SHOWN)}>{t.more}</Button>
        </div>
      ) : null}
    </>
  );
}

function countsOf(results: readonly ResultEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
