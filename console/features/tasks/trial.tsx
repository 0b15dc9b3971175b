import { useMutation } from '@tanstack/react-query';
import { useMay } from '../../parts/shop.ts';
import { useReloadTasks } from '../../parts/tasks.ts';
import { tasksText } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Banner } from '../../ui/tabs.tsx';
import { RunLink } from './parts.tsx';
import { continueVersion, revokeVersion, type TaskDetail } from './queries.ts';

const t = tasksText.page.trial;

/** How the new version of the task does in its trial; where that paused the task, with the two ways on. */
export function TrialBanner({ detail: { task, trial, current_version: current, versions } }: { detail: TaskDetail }) {
  const mayDecide = useMay()('admin_api.ai_tasks.approve');
  const reload = useReloadTasks();
  const decide = useMutation({ mutationFn: (act: () => Promise<unknown>) => act(), onSettled: reload });
  if (!trial || !current || task.deleted_at !== null) return null;
  const { figures, before, run_id } = trial;
  if (trial.state === 'watching' && task.settings.trial !== null) {
    return <Banner tone="plain">{t.watching(current.version, figures.runs, task.settings.trial.runs, figures.failures)}</Banner>;
  }
  if (trial.state !== 'paused') return null;
  const earlier = versions.filter(({ id, approval }) => approval === 'approved' && id !== trial.version_id).map(({ version }) => version);
  const acts = (
    <>
      <Button
        kind="first"
        disabled={decide.isPending}
        onClick={() => decide.mutate(() => revokeVersion(task.id, trial.version_id, '', {}))}
      >
        {earlier.length === 0 ? t.revoke : t.back(Math.max(...earlier))}
      </Button>
      <Button disabled={decide.isPending} onClick={() => decide.mutate(() => continueVersion(task.id, trial.version_id))}>
        {t.goOn}
      </Button>
    </>
  );
  return (
    <Banner tone="fail" act={mayDecide ? acts : undefined}>
      <span>{t.paused(current.version, before.version)}</span>
      <span>
        {trial.reason === 'failures'
          ? t.failures(figures.failures, figures.runs, before.failures, before.runs)
          : t.effects(figures.effects ?? 0, before.effects ?? 0)}{' '}
        {run_id === null ? null : (
          <RunLink taskId={task.id} runId={run_id}>
            {t.show(run_id)}
          </RunLink>
        )}
      </span>
      {decide.error ? <Problem error={decide.error} /> : null}
    </Banner>
  );
}
