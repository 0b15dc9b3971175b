import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAction } from '../../../../contract/run-bulk.ts';
import type { RunRow } from '../../../../contract/runs.ts';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { runBulkText as t } from '../../../texts/run-bulk.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { bulkRuns } from '../queries.ts';
import { bulkActs, isFor } from './bulk-acts.ts';
import { BulkOutcome } from './bulk-outcome.tsx';

const NAMED = 10;

/** What can be done with the selected runs, after a look at how many it is for. */
export function BulkBar({ runs, clear }: { runs: readonly RunRow[]; clear(): void }) {
  const reload = useReloadTasks();
  const key = useRetryKey();
  const [asked, ask] = useState<BulkAction | null>(null);
  const act = useMutation({
    mutationFn: async (body: { action: BulkAction; ids: number[] }) => {
      return { act: body.action, outcome: await bulkRuns(body, once(key.of(body))) };
    },
    onSuccess: () => {
      key.spend();
      ask(null);
    },
    onSettled: reload,
  });
  useShortcuts({ escape: clear });
  const possible = bulkActs.map((name) => ({ name, fit: runs.filter((run) => isFor(name, run)) })).filter(({ fit }) => fit.length > 0);
  const chosen = asked === null ? [] : runs.filter((run) => isFor(asked, run));
  return (
    <section className="bulk" aria-label={t.selected(runs.length)}>
      <strong aria-live="polite">{t.selected(runs.length)}</strong>
      {possible.map(({ name, fit }) => (
        <Button
          key={name}
          kind={name === 'cancel' ? 'danger' : 'plain'}
          onClick={() => {
            act.reset();
            ask(name);
          }}
        >
          {t.acts[name].act(fit.length)}…
        </Button>
      ))}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {act.data ? <BulkOutcome {...act.data} /> : null}
      {asked === null ? null : (
        <Confirm
          title={`${t.acts[asked].act(chosen.length)}?`}
          act={t.acts[asked].act(chosen.length)}
          back={t.back}
          isDanger={asked === 'cancel'}
          isBusy={act.isPending || chosen.length === 0}
          error={act.error}
          onAct={() => act.mutate({ action: asked, ids: chosen.map(({ id }) => id) })}
          close={() => ask(null)}
        >
          <p>{t.detail(asked, chosen.length, runs.length - chosen.length)}</p>
          <ul>
            {chosen.slice(0, NAMED).map((run) => (
              <li key={run.id}>
                {run.task_name} <span className="muted">· {runsText.run(run.id)}</span>
              </li>
            ))}
          </ul>
          {chosen.length > NAMED ? <p>{t.more(chosen.length - NAMED)}</p> : null}
        </Confirm>
      )}
    </section>
  );
}
