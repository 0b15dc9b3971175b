import { useQuery } from '@tanstack/react-query';
import type { RunRow } from '../../../contract/runs.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { failedRuns, failures, useApprovals } from '../../parts/waiting.ts';
import { overviewText as t } from '../../texts/overview.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { dayBefore, todayIn } from '../../ui/days.ts';
import type { Need } from './needs.tsx';
import { interrupted, planned } from './queries.ts';

/** More of a kind are one line, with their number and the list that has them. */
const ONE_BY_ONE = 4;

/** Questions of runs, versions to approve, what waits for a second person, interrupted runs, plans of dry runs. */
export function useAutomationNeeds(): Need[] {
  const may = useMay();
  const enabled = may('admin_api.ai_tasks.read');
  const { prompts: asked, versions: waiting, plans: left, changes, count: decisions } = useApprovals();
  const stopped = useQuery({ ...interrupted, enabled }).data?.data ?? [];
  const failures = useFailures(enabled);
  // The plan of a version that waits for approval cannot be applied yet, and one that waits for a second person is told as such.
  const plans = (useQuery({ ...planned, enabled }).data ?? []).filter(
    (run) => !waiting.some((one) => one.version_id === run.version_id) && !left.some((one) => one.run_id === run.id),
  );
  if (decisions > ONE_BY_ONE) {
    return [
      { key: 'decisions', tone: 'need', words: t.decisions(decisions), act: toApprovals },
      ...failures,
      ...stoppedNeeds(stopped),
      ...planNeeds(plans),
    ];
  }
  return [
    ...asked.map((prompt) => ({
      key: `prompt ${prompt.id}`,
      tone: 'need' as const,
      words: prompt.label ?? t.question(prompt.task_name),
      act: toRun(prompt.task_id, prompt.run_id, t.answer),
    })),
    ...waiting.map((version) => ({
      key: `version ${version.version_id}`,
      tone: 'need' as const,
      words: version.one_off
        ? t.proposal(version.created_by_name)
        : (version.change_request ? t.changesRequested : t.version)(version.task_name, version.version),
      act: (
        <ButtonLink to="/tasks/$id/versions/$v" params={{ id: version.task_id, v: String(version.version_id) }}>
          {t.review}
        </ButtonLink>
      ),
    })),
    ...left.map((plan) => ({
      key: `left ${plan.run_id}`,
      tone: 'need' as const,
      words: t.planForSecond(plan.task_name),
      act: toApprovals,
    })),
    ...changes.map((change) => ({
      key: `change ${change.id}`,
      tone: 'need' as const,
      words: t.policyChange(change.proposed_by_name),
      act: toApprovals,
    })),
    ...failures,
    ...stoppedNeeds(stopped),
    ...planNeeds(plans),
  ];
}

const toApprovals = <ButtonLink to="/approvals">{t.show}</ButtonLink>;

/** The runs that failed yesterday or today, in one line for each way of failing. */
function useFailures(enabled: boolean): Need[] {
  const from = dayBefore(todayIn(useShop().timezone));
  const results = {
    failed: useQuery({ ...failedRuns('failed', from), enabled }),
    timed_out: useQuery({ ...failedRuns('timed_out', from), enabled }),
  };
  return failures.flatMap((status) => {
    const { data: runs = [], next_cursor: more = null } = results[status].data ?? {};
    if (runs.length === 0) return [];
    return [
      {
        key: status,
        tone: 'fail',
        words: (more === null ? t.runEnds : t.manyRunEnds)[status](runs.length),
        act: <FailedRuns key={status} status={status} from={from} />,
      },
    ];
  });
}

const FailedRuns = ({ status, from }: { status: string; from: string }) => (
  <ButtonLink to="/runs" search={{ status, dry: 'none', from }}>
    {t.show}
  </ButtonLink>
);

function stoppedNeeds(stopped: readonly RunRow[]): Need[] {
  if (stopped.length > ONE_BY_ONE) {
    const act = (
      <ButtonLink to="/runs" search={{ status: 'interrupted' }}>
        {t.show}
      </ButtonLink>
    );
    return [{ key: 'stopped', tone: 'need', words: t.interruptedRuns(stopped.length), act }];
  }
  return stopped.map((run) => ({
    key: `run ${run.id}`,
    tone: 'need',
    words: t.interrupted(run.task_name),
    act: toRun(run.task_id, run.id, t.show),
  }));
}

const planNeeds = (plans: readonly RunRow[]): Need[] =>
  plans.map((run) => ({ key: `plan ${run.id}`, tone: 'dry', words: t.plan(run.task_name), act: toRun(run.task_id, run.id, t.seePlan) }));

const toRun = (task: number, run: number, words: string) => (
  <ButtonLink to="/tasks/$id/runs/$r" params={{ id: task, r: run }}>
    {words}
  </ButtonLink>
);
