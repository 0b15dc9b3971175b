import { lazy, Suspense, useState } from 'react';
import { timelineText as t } from '../../texts/timeline.ts';
import { Button } from '../../ui/button.tsx';

const UndoEntry = lazy(() => import('./undo.tsx'));

type Props = { entryId: number; what: string; currency?: string | undefined };

/** The act that takes an edit of a person back, by its entry of the audit log. */
export function TakeBack({ entryId, what, currency }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-label={t.takeBackOf(what)} onClick={() => setAsking(true)}>
        {t.takeBack}
      </Button>
      {isAsking ? (
        <Suspense fallback={null}>
          <UndoEntry entryId={entryId} what={what} currency={currency} close={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
