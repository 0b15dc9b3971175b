import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { requestText } from '../../../../contract/request-text.ts';
import type { Run } from '../../../../contract/runs.ts';
import { durationText } from '../../../language/formats.ts';
import { blanks } from '../../../parts/blanks.ts';
import { Moment } from '../../../parts/values.tsx';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { type RunCall, runCalls } from '../queries.ts';
import type { RunSearch } from '../search.ts';
import { type Bar, FOLD_WIDTH, layLanes, WIDTH } from './call-lanes.ts';

const t = runsText.calls;
const SHOWN = 200;
const FIRST_REFUSAL = 400;
const LANE = 10;
const GAP = 2;

const columns: Column<RunCall>[] = [
  {
    name: 'line',
    head: t.columns.line,
    cell: ({ log_seq }) => (
      <data className="muted" value={log_seq}>
        {log_seq}
      </data>
    ),
    isNumber: true,
    isMinor: true,
  },
  {
    name: 'call',
    head: t.columns.call,
    cell: (call) => <code className="wrap">{shownCall(call)}</code>,
  },
  {
    name: 'status',
    head: t.columns.status,
    cell: ({ status }) =>
      status >= FIRST_REFUSAL ? <Status tone="fail">{String(status)}</Status> : <span className="muted">{status}</span>,
  },
  { name: 'at', head: t.columns.at, cell: ({ at }) => <Moment at={at} kind="second" />, isMinor: true },
  { name: 'took', head: t.columns.took, cell: tookOf, isNumber: true },
];

function shownCall({ method, path, request }: RunCall): string {
  return `${method} ${path}${requestText(request)}`;
}

function tookOf({ duration_ms }: RunCall): string {
  return duration_ms === null ? '' : durationText(duration_ms);
}

/** Every call that the script made: by time, then in order. */
export function CallsTab({ run, go }: { run: Run; go(search: RunSearch): void }) {
  const query = useInfiniteQuery(runCalls(run.task_id, run.id, run.status === 'running'));
  const [shown, setShown] = useState(SHOWN);
  const calls = useMemo(() => query.data?.pages.flat(), [query.data]);
  const failed = calls?.filter(({ status }) => status >= FIRST_REFUSAL).length ?? 0;
  const hasMore = (calls?.length ?? 0) > shown || query.hasNextPage;
  function showMore(): void {
    if (query.hasNextPage && (calls?.length ?? 0) < shown + SHOWN) void query.fetchNextPage();
    setShown(shown + SHOWN);
  }
  return (
    <>
      {calls && calls.length > 1 ? <LanesOf calls={calls} isPart={query.hasNextPage} /> : null}
      {failed > 0 ? <p className="tab-note">{t.failed(failed)}</p> : null}
      <List
        label={t.label}
        query={{ ...query, data: calls?.slice(0, shown) }}
        columns={columns}
        idOf={({ call }) => call}
        nameOf={({ path }) => path}
        onOpen={({ log_seq }) => go({ tab: 'log', line: log_seq })}
        blank={blanks.ofRun}
        empty={t.none}
      />
      {hasMore ? (
        <div className="more">
          <Button disabled={query.isFetchingNextPage} onClick={showMore}>
            {t.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** When which calls were under way; what was refused is red, what writes is dark. */
function LanesOf({ calls, isPart }: { calls: readonly RunCall[]; isPart: boolean }) {
  const { bars, folds, lanes, ms } = useMemo(() => layLanes(calls), [calls]);
  const height = lanes * (LANE + GAP) - GAP;
  const words = t.lanes(calls.length, lanes, durationText(ms));
  const idleMs = folds.reduce((sum, fold) => sum + fold.ms, 0);
  return (
    <figure className="lanes">
      <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={words} style={{ blockSize: `${height}px` }}>
        {folds.map(({ from, ms: idle }) => (
          <rect key={from} className="fold" x={from + 3} y={0} width={FOLD_WIDTH - 6} height={height}>
            <title>{t.idle(durationText(idle))}</title>
          </rect>
        ))}
        {bars.map((bar) => (
          <rect key={bar.call.call} className={classOf(bar)} x={bar.from} y={bar.lane * (LANE + GAP)} width={bar.width} height={LANE}>
            <title>{t.bar(shownCall(bar.call), bar.call.status, tookOf(bar.call))}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="muted">
        <span>
          {isPart ? `${t.lanesOfFirst(calls.length)}: ` : ''}
          {words}
        </span>
        {folds.length > 0 ? <span>{t.folded(folds.length, durationText(idleMs))}</span> : null}
      </figcaption>
    </figure>
  );
}

function classOf({ call: { method, status } }: Bar): string {
  if (status >= FIRST_REFUSAL) return 'bar refused';
  return method === 'GET' ? 'bar' : 'bar writes';
}
