import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAction } from '../../../../contract/run-bulk.ts';
import type { RunFilter } from '../../../../contract/runs.ts';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { runBulkText as t } from '../../../texts/run-bulk.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { bulkPreview, bulkRuns, filterOf } from '../queries.ts';
import type { RunsSearch } from '../search.ts';
import { bulkActs } from './bulk-acts.ts';
import { BulkOutcome } from './bulk-outcome.tsx';

export type BulkDone = Parameters<typeof BulkOutcome>[0];

/** The act on all runs that match. The page keeps it, since it goes on when the dialog is closed, and may not be done twice then. */
export function useBulkAll(done: (result: BulkDone) => void) {
  const reload = useReloadTasks();
  const key = useRetryKey();
  return useMutation({
    mutationFn: async (body: { action: BulkAction; filter: RunFilter; expected_count: number }) => bulkRuns(body, once(key.of(body))),
    onSuccess: (outcome, { action }) => {
      key.spend();
      done({ act: action, outcome });
    },
    onSettled: () => void reload(),
  });
}

type Props = { filters: RunsSearch; words: readonly string[]; act: ReturnType<typeof useBulkAll>; close(): void };

/**
 * An act on all runs that match the filters, which are more than the list shows. Before it, the server tells how many runs it is for; if
 * their number is another one by then, it does nothing.
 */
export function BulkAll({ filters, words, act, close }: Props) {
  const [action, setAction] = useState<BulkAction>(filters.status === 'interrupted' ? 'resume' : 'cancel');
  const filter = filterOf(filters);
  const preview = useQuery(bulkPreview(action, filter));
  const count = preview.data?.count ?? 0;
  const isPossible = preview.data?.is_complete === true && count > 0 && !preview.isFetching;
  return (
    <Confirm
      title={t.all}
      act={isPossible ? t.acts[action].act(count) : t.acts[action].name}
      back={t.back}
      isDanger={action === 'cancel'}
      isBusy={act.isPending || !isPossible}
      error={act.error}
      onAct={() => act.mutate({ action, filter, expected_count: count })}
      close={() => {
        if (!act.isPending) act.reset();
        close();
      }}
    >
      <p>{words.length === 0 ? t.everything : words.join(' · ')}</p>
      <SelectField
        label={t.action}
        value={action}
        disabled={act.isPending}
        options={bulkActs.map((name) => [name, t.acts[name].name] as const)}
        onValue={(name) => {
          act.reset();
          setAction(name);
        }}
      />
      {preview.error ? <Problem error={preview.error} /> : null}
      <p role="status">{preview.data === undefined ? ' ' : previewText(action, preview.data)}</p>
    </Confirm>
  );
}

function previewText(action: BulkAction, { count, is_complete }: { count: number; is_complete: boolean }): string {
  if (!is_complete) return t.tooMany;
  return count === 0 ? t.acts[action].none : `${t.acts[action].preview(count)}${t.ends[action]}`;
}

export function BulkAllDone({ result, close }: { result: BulkDone; close(): void }) {
  return (
    <section className="bulk" aria-label={t.all}>
      <BulkOutcome {...result} />
      <Button kind="quiet" onClick={close}>
        {t.close}
      </Button>
    </section>
  );
}
