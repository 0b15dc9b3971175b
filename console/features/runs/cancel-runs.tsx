import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunRow } from '../../../contract/runs.ts';
import { ApiError } from '../../api/client.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { runsText } from '../../texts/en/runs.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { cancelRun } from './queries.ts';

const t = runsText.list;

type Outcome = { run: RunRow; refusal: string | null };

/** What can be done with the selected runs: those that are still going can be cancelled, after a look at how many they are. */
export function CancelBar({ runs, clear }: { runs: readonly RunRow[]; clear(): void }) {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const open = runs.filter(({ status }) => status === 'running');
  const cancel = useMutation({
    mutationFn: (chosen: readonly RunRow[]) => Promise.all(chosen.map(cancelOne)),
    onSettled: () => queries.invalidateQueries(),
    onSuccess: () => setAsked(false),
  });
  useShortcuts({ escape: clear });
  const failed = cancel.data?.filter(({ refusal }) => refusal !== null) ?? [];
  return (
    <section className="bulk" aria-label={t.selected(runs.length)}>
      <strong aria-live="polite">{t.selected(runs.length)}</strong>
      {open.length > 0 ? (
        <Button kind="danger" onClick={() => setAsked(true)}>
          {t.cancel(open.length)}
        </Button>
      ) : (
        <span className="muted">{t.nothingOpen}</span>
      )}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {cancel.data ? (
        <div role="status" className="bulk-result">
          <p>{t.cancelled(cancel.data.length - failed.length)}</p>
          {failed.length > 0 ? (
            <>
              <p className="danger-text">{t.notCancelled(failed.length)}</p>
              <ul>
                {failed.map(({ run, refusal }) => (
                  <li key={run.id}>
                    {run.task_name}, {runsText.run(run.id)}: {refusal}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </div>
      ) : null}
      {isAsked ? (
        <Confirm
          title={t.confirm(open.length)}
          act={t.confirm(open.length).replace('?', '')}
          back={t.keep(open.length)}
          isDanger
          isBusy={cancel.isPending}
          error={cancel.error}
          onAct={() => cancel.mutate(open)}
          close={() => setAsked(false)}
        >
          <p>{t.confirmDetail(open.length, runs.length - open.length)}</p>
          <ul>
            {open.slice(0, 10).map((run) => (
              <li key={run.id}>
                {run.task_name} <span className="muted">· {runsText.run(run.id)}</span>
              </li>
            ))}
          </ul>
        </Confirm>
      ) : null}
    </section>
  );
}

async function cancelOne(run: RunRow): Promise<Outcome> {
  try {
    await cancelRun(run.task_id, run.id);
    return { run, refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { run, refusal: error.detail };
  }
}
