import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { Moment } from '../../../parts/values.tsx';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { valueText } from '../../../ui/change.tsx';
import { Sentence } from '../../../ui/page.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { runWaits } from '../queries.ts';

const t = runsText.waits;
const SendSignal = lazy(() => import('../acts/signal.tsx'));

/** What an open run waits for without a worker, until when, and the act that sends it a signal. */
export function OpenWaits({ run, maySend }: { run: Run; maySend: boolean }) {
  const [isSending, setSending] = useState(false);
  const isWaiting = run.waiting_reason === 'event' || run.waiting_reason === 'signal' || run.waiting_reason === 'sleep';
  const waits = useQuery({ ...runWaits(run.task_id, run.id), enabled: isWaiting && run.withheld.length === 0 });
  if (!isWaiting) return null;
  const act = maySend && run.waiting_reason === 'signal' ? <Button onClick={() => setSending(true)}>{t.send}</Button> : undefined;
  return (
    <>
      <Banner tone="plain" act={act}>
        {(waits.data ?? []).map(({ id, event, match, until }) => (
          <span key={id}>
            {event === null ? (
              <Sentence words={t.sleeps} parts={[<Moment key="until" at={until} kind="second" />]} />
            ) : (
              <Sentence words={t.event} parts={[<code key="event">{event}</code>, <Moment key="until" at={until} kind="second" />]} />
            )}
            {Object.keys(match).length === 0 ? null : <code> {valueText(match)}</code>}
          </span>
        ))}
      </Banner>
      {isSending ? (
        <Suspense>
          <SendSignal run={run} keys={keysOf(waits.data ?? [])} close={() => setSending(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** A signal without a key has an empty one. */
function keysOf(waits: readonly { event: string | null }[]): string[] {
  return waits.flatMap(({ event }) => (event === 'signal' ? [''] : event?.startsWith('signal:') ? [event.slice('signal:'.length)] : []));
}
