import type { Run } from '../../../../contract/runs.ts';
import { runsText as t } from '../../../texts/runs.ts';
import type { RunFeed } from '../log/feed.ts';
import { useFeed } from '../log/use-feed.ts';

/** How far the script says that it is; the stream knows it sooner than the record. */
export function ProgressBar({ run, feed }: { run: Run; feed: RunFeed }) {
  const progress = useFeed(feed, (one) => one.progress) ?? run.progress;
  if (!progress) return null;
  const { current, total, label } = progress;
  const share = total > 0 ? Math.min(1, Math.max(0, current / total)) : 0;
  const words = t.progress(current, total);
  return (
    <div className={run.status === 'running' ? 'progress' : 'progress rest'}>
      <div className="progress-words">
        <span className="muted">{label}</span>
        <span>{words}</span>
      </div>
      <div
        className="progress-bar"
        role="progressbar"
        aria-label={label || t.progressOf}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(Math.max(current, 0), total)}
        aria-valuetext={words}
      >
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  );
}
