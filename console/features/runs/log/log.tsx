import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { saveText } from '../../../api/download.ts';
import { clockText } from '../../../language/formats.ts';
import { useShop } from '../../../parts/shop.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Tick } from '../../../ui/field.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { SearchField, Toolbar } from '../../../ui/toolbar.tsx';
import { lineTimes } from '../queries.ts';
import type { RunSearch } from '../search.ts';
import { logText, type RunFeed } from './feed.ts';
import { type Found, findInLog, HITS_MAX, hitFrom, spotOfHit } from './find.ts';
import { useFeed } from './use-feed.ts';
import { type LogView, lineOfSpot, mountLog, spotOfLine } from './view.ts';

const t = runsText.log;

type Props = { feed: RunFeed; taskId: number; runId: number; isOpen: boolean; search: RunSearch; go(search: RunSearch): void };

/** The log of a run as it grows: found, followed, copied, and linked by its lines. */
export function LogTab({ feed, taskId, runId, isOpen, search, go }: Props) {
  const { timezone } = useShop();
  const box = useRef<HTMLElement>(null);
  const view = useRef<LogView>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isFollowing, setFollowing] = useState(isOpen && search.line === undefined);
  const [hit, setHit] = useState<number | null>(null);
  const [isCopied, setCopied] = useState(false);
  const lines = useFeed(feed, (one) => one.lines);
  const typed = search.find ?? '';
  const found = findInLog(feed, typed);

  const place = (next: RunSearch): void => go({ tab: 'log', ...(typed === '' ? {} : { find: typed }), ...next });
  function setFollow(on: boolean): void {
    setFollowing(on);
    view.current?.follow(on);
  }
  const leaveEnd = useEffectEvent(() => setFollow(false));
  const chooseLine = useEffectEvent((line: number) => place({ line }));
  const timesAfter = useEffectEvent(async (line: number, limit: number) => {
    const times = await lineTimes(taskId, runId, line, limit);
    return times.map((at) => clockText(at, timezone));
  });
  /** Draws what has come, and what the address asks for as soon as it is there. */
  const draw = useEffectEvent(() => view.current?.draw());
  const start = useEffectEvent(() => view.current?.follow(isFollowing));

  useEffect(() => {
    if (!box.current) return;
    const mounted = mountLog(box.current, feed, {
      onLeaveEnd: () => leaveEnd(),
      onLine: (line) => chooseLine(line),
      timesAfter: (line, limit) => timesAfter(line, limit),
    });
    view.current = mounted;
    draw();
    start();
    const stop = feed.subscribe(() => draw());
    return () => {
      stop();
      mounted.close();
      view.current = null;
    };
  }, [feed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines may hold further hits
  useEffect(() => view.current?.mark(found.hits, found.length), [typed, lines]);
  const isThere = search.line !== undefined && feed.last >= search.line;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line may come after the address that asks for it
  useEffect(() => view.current?.showLine(search.line), [search.line, isThere]);

  function goToHit(step: 1 | -1): void {
    if (found.count === 0) return;
    const before = search.line === undefined ? null : spotOfLine(feed, search.line);
    const next = hit === null ? hitFrom(found, before) : (hit + step + found.count) % found.count;
    const spot = spotOfHit(found, next);
    setHit(next);
    setFollow(false);
    const line = spot ? lineOfSpot(feed, spot) : undefined;
    if (line !== undefined) place({ line });
    view.current?.show(spot);
  }
  function find(next: string): void {
    setHit(null);
    view.current?.show(null);
    go({ tab: 'log', ...(next === '' ? {} : { find: next }), ...(search.line === undefined ? {} : { line: search.line }) });
  }
  useShortcuts({
    '/': () => field.current?.focus(),
    '.': { name: isFollowing ? t.unfollow : t.followEnd, act: () => setFollow(!isFollowing) },
  });

  return (
    <>
      <Toolbar>
        <search
          onKeyDown={(event) => {
            if (event.key === 'Enter') goToHit(event.shiftKey ? -1 : 1);
          }}
        >
          <SearchField field={field} label={t.find} value={typed} set={find} />
        </search>
        {typed === '' ? null : <Hits found={found} hit={hit} go={goToHit} />}
        <span className="end muted">{t.lines(lines)}</span>
        <Tick label={<FollowLabel />} checked={isFollowing} onValue={setFollow} aria-keyshortcuts="." />
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(logText(feed)).then(() => setCopied(true));
          }}
        >
          {isCopied ? t.copied : t.copy}
        </Button>
        <Button onClick={() => saveText(logText(feed), `run-${runId}.log`)}>{t.download}</Button>
      </Toolbar>
      <Connection feed={feed} isOpen={isOpen} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section ref={box} className="log" aria-label={t.label} tabIndex={0} />
    </>
  );
}

function FollowLabel() {
  return (
    <>
      {t.follow} <span className="key-hint">.</span>
    </>
  );
}

function Hits({ found, hit, go }: { found: Found; hit: number | null; go(step: 1 | -1): void }) {
  return (
    <>
      <span className="muted" role="status">
        {t.hits((hit ?? -1) + 1, found.count, found.count >= HITS_MAX)}
      </span>
      <Button disabled={found.count === 0} onClick={() => go(-1)}>
        {t.previous}
      </Button>
      <Button disabled={found.count === 0} onClick={() => go(1)}>
        {t.next}
      </Button>
    </>
  );
}

/** How the reader stands, where that is not as it should be. */
function Connection({ feed, isOpen }: { feed: RunFeed; isOpen: boolean }) {
  const state = useFeed(feed, (one) => one.state);
  const isEmpty = useFeed(feed, ({ lines }) => lines === 0);
  const last = useFeed(feed, (one) => one.last);
  const words =
    state === 'lost' ? t.lost(last) : state === 'connecting' ? t.connecting : isEmpty ? (isOpen ? t.empty : t.emptyEnded) : null;
  return (
    <p className={state === 'lost' ? 'log-state lost' : 'log-state'} role="status">
      {words}
    </p>
  );
}
