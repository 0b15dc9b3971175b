import { useQuery } from '@tanstack/react-query';
import type { Run } from '../../../../contract/runs.ts';
import { runsText } from '../../../texts/runs.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { taskOfRun } from '../queries.ts';

const t = runsText.trial;

/** Tells that the run is one of a version that is on trial, or was paused in it; what is decided about it stands on the task's page. */
export function RunTrial({ run }: { run: Run }) {
  const { data: detail } = useQuery(taskOfRun(run.task_id));
  const trial = detail?.trial;
  if (!trial || run.version === null || trial.version_id !== run.version_id) return null;
  const isPaused = trial.state === 'paused';
  if (!isPaused && (trial.state !== 'watching' || detail?.task.settings.trial === null)) return null;
  return (
    <Banner
      tone={isPaused ? 'fail' : 'plain'}
      act={
        <ButtonLink to="/tasks/$id" params={{ id: String(run.task_id) }}>
          {t.show}
        </ButtonLink>
      }
    >
      {isPaused ? t.paused(run.version) : t.watching(run.version)}
    </Banner>
  );
}
