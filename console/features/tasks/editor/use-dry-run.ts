import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { startRun, tryDraft } from '../queries.ts';
import type { DraftValues } from './drafts.ts';
import { sourceOf } from './version-values.ts';

export type DryRun = ReturnType<typeof useDryRun>;

/** Runs what is written, as it is now, without keeping any change. `taskId`: null where there is no task yet. */
export function useDryRun(taskId: number | null, values: DraftValues, given: JsonObject) {
  const queries = useQueryClient();
  const key = useRetryKey();
  const now = JSON.stringify([values, given]);
  const start = useMutation({
    mutationFn: async (text: string) => {
      const body = { parameters: given, draft: sourceOf(values) };
      const options = once(key.of(text));
      const started =
        taskId === null
          ? await tryDraft(body, options)
          : { task_id: taskId, ...(await startRun(taskId, { ...body, dry_run: true }, options)) };
      return { taskId: started.task_id, runId: started.run_id, of: text };
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
    taskId: start.data?.taskId,
    runId: start.data?.runId,
    /** Whether what was run is no longer what is written. */
    isOutdated: start.data !== undefined && start.data.of !== now,
  };
}
