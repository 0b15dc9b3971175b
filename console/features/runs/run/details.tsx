import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { runsText as t } from '../../../texts/runs.ts';
import { Skeleton } from '../../../ui/page.tsx';
import type { RunFeed } from '../log/feed.ts';
import { useFeed } from '../log/use-feed.ts';

const Markdown = lazyRouteComponent(() => import('../../../parts/markdown/markdown.tsx'), 'Markdown');

/** What the script shows of its run, as the stream tells it. */
export function RunDetails({ feed }: { feed: RunFeed }) {
  const details = useFeed(feed, (one) => one.details);
  if (details === '') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long details are scrolled, which a keyboard must be able to do
    <section className="run-details" aria-label={t.details} tabIndex={0}>
      <Suspense fallback={<Skeleton rows={3} />}>
        <Markdown text={details} />
      </Suspense>
    </section>
  );
}

/** In one line, what the run is about; the stream knows it sooner than the record. */
export function RunDescription({ feed, description }: { feed: RunFeed | null; description: string | null }) {
  return feed ? <Told feed={feed} otherwise={description ?? ''} /> : <Line words={description ?? ''} />;
}

function Told({ feed, otherwise }: { feed: RunFeed; otherwise: string }) {
  return <Line words={useFeed(feed, (one) => one.description) ?? otherwise} />;
}

function Line({ words }: { words: string }) {
  if (words === '') return null;
  return (
    <bdi className="run-description" aria-live="off">
      {words}
    </bdi>
  );
}
