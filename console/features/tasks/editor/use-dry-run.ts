import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { startRun } from '../queries.ts';
import type { DraftValues } from './drafts.ts';
import { sourceOf } from './version-values.ts';

export type DryRun = ReturnType<typeof useDryRun>;

/** Runs what is written, as it is now, without keeping any change. */
export function useDryRun(taskId: number, values: DraftValues, given: JsonObject) {
  const queries = useQueryClient();
  const key = useRetryKey();
  const now = JSON.stringify([values, given]);
  const start = useMutation({
    mutationFn: async (text: string) => {
      const body = { dry_run: true, parameters: given, draft: sourceOf(values) };
      const { run_id } = await startRun(taskId, body, once(key.of(text)));
      return { runId: run_id, of: text };
    },
    onSuccess: () => {
      key.spend();
      void queries.invalidateQueries({ queryKey: ['ai_tasks.list_runs', taskId] });
    },
  });
  return {
    start: (): void => {
      if (!start.isPending) start.mutate(now);
    },
    isStarting: start.isPending,
    error: start.error,
    runId: start.data?.runId,
    /** Whether what was run is no longer what is written. */
    isOutdated: start.data !== undefined && start.data.of !== now,
  };
}
