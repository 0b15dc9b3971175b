import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import { once } from '../../../api/client.ts';
import { useAdminName } from '../../../parts/admin-names.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { ParameterForm } from '../../../parts/parameter-form.tsx';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { RunStatus } from '../../../parts/run-status.tsx';
import { useMay } from '../../../parts/shop.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { MutedMoment } from '../../../parts/values.tsx';
import { countedKinds } from '../../../texts/kinds.ts';
import { reviewText as t } from '../../../texts/review.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Status } from '../../../ui/status.tsx';
import { RunLink } from '../parts.tsx';
import { PlanList } from '../plan-list.tsx';
import { recentRuns, replayReport, replayRun, runEffects, startRun, type VersionDetail, versionDecisions } from '../queries.ts';

/** So many of the newest tries, and of the runs that could be replayed, are shown. */
const TRIES_MAX = 5;
const RECORDED_MAX = 3;

type Props = { task: Task; version: VersionDetail; approval: VersionDetail['approval'] };

/** What is known of how the version behaves: its dry runs and replays, and the ways to get more of them. */
export function Evidence({ task, version, approval }: Props) {
  const runs = useQuery(recentRuns(task.id));
  const mayWrite = useMay()('admin_api.ai_tasks.write') && task.deleted_at === null;
  const handedIn = new Set(version.evidence.map(({ run_id }) => run_id));
  const ofVersion = runs.data?.filter((run) => run.version_id === version.id) ?? [];
  const tries = ofVersion.filter((run) => (run.dry_run || run.replay_of_run_id !== null) && !handedIn.has(run.id));
  const isTriedSince = tries.some((run) => run.dry_run && run.status === 'success');
  const recorded = runs.data?.filter((run) => run.record && run.status !== 'running' && run.replay_of_run_id === null) ?? [];
  const isOpen = approval === 'pending' || approval === 'approved';
  return (
    <Section title={t.evidence}>
      <HandedIn version={version} isTriedSince={isTriedSince} />
      {runs.error ? <Problem error={runs.error} retry={() => void runs.refetch()} /> : null}
      {runs.data && tries.length === 0 && version.evidence.length === 0 ? <p className="muted">{t.noEvidence}</p> : null}
      <ul className="evidence">
        {tries.slice(0, TRIES_MAX).map((run) => (
          <li key={run.id}>
            {run.replay_of_run_id === null ? <DryRun run={run} /> : <Replayed run={run} recorded={run.replay_of_run_id} />}
          </li>
        ))}
      </ul>
      {mayWrite && isOpen ? <Try task={task} version={version} recorded={recorded.slice(0, RECORDED_MAX)} /> : null}
    </Section>
  );
}

/** What the author handed in with the version, and whether it still holds. The dry run of a proposal is one of the version itself. */
function HandedIn({ version: { evidence, plan_digest_now, proposal }, isTriedSince }: Pick<Props, 'version'> & { isTriedSince: boolean }) {
  if (evidence.length === 0) return null;
  const now = proposal !== null && !isTriedSince ? null : plan_digest_now;
  return (
    <ul className="evidence">
      {evidence.map(({ task_id, run_id, writes, changes_by_kind, permissions_used, hides_people, plan_digest }) => (
        <li key={run_id}>
          <span>
            {t.handedIn(run_id)}
            <span className="decision-comment">
              {[
                t.handedInChanges(writes, countedKinds(changes_by_kind)),
                t.usedPermissions(permissions_used.length),
                ...(hides_people ? [t.peopleHidden] : []),
              ].join(' · ')}
            </span>
          </span>
          <Status tone={now === null ? 'dry' : now === plan_digest ? 'done' : 'need'}>
            {now === null ? t.notTriedSince : now === plan_digest ? t.freshEvidence : t.staleEvidence}
          </Status>
          <Plan taskId={task_id} runId={run_id} isOpen />
        </li>
      ))}
    </ul>
  );
}

function DryRun({ run }: { run: Run }) {
  const isOver = run.status === 'success' && run.withheld.length === 0;
  const effects = useQuery({ ...runEffects(run.task_id, run.id), enabled: isOver });
  return (
    <>
      <RunLink taskId={run.task_id} runId={run.id}>
        {t.dryRun(run.id)}
      </RunLink>
      {effects.data ? <Status tone="dry">{t.writes(effects.data.length)}</Status> : <RunStatus run={run} />}
      {isOver ? <Plan taskId={run.task_id} runId={run.id} /> : null}
    </>
  );
}

/** What a dry run would change; nothing where the run is gone or may not be read. */
function Plan({ taskId, runId, isOpen = false }: { taskId: number; runId: number; isOpen?: boolean }) {
  const { data: effects = [] } = useQuery(runEffects(taskId, runId));
  if (effects.length === 0) return null;
  return (
    <details className="evidence-plan" open={isOpen}>
      <summary>{t.plan}</summary>
      <PlanList effects={effects} />
    </details>
  );
}

function Replayed({ run, recorded }: { run: Run; recorded: number }) {
  const report = useQuery({ ...replayReport(run.task_id, run.id), enabled: run.status !== 'running' });
  return (
    <>
      <RunLink taskId={run.task_id} runId={run.id}>
        {t.replay(run.id, recorded)}
      </RunLink>
      {report.data ? (
        <Status tone={report.data.identical ? 'done' : 'need'}>{report.data.identical ? t.identical : t.differs}</Status>
      ) : (
        <RunStatus run={run} />
      )}
    </>
  );
}

type TryProps = { task: Task; version: VersionDetail; recorded: readonly Run[] };

function Try({ task, version, recorded }: TryProps) {
  const reload = useReloadTasks();
  const key = useRetryKey();
  const [isAsking, setAsking] = useState(false);
  const replay = useMutation({
    mutationFn: (runId: number) => replayRun(task.id, runId, version.id, once(key.of([runId, version.id]))),
    onSuccess: key.spend,
    onSettled: reload,
  });
  return (
    <div className="tries">
      <div className="acts">
        <Button className="dry" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          {t.runDry}
        </Button>
        {recorded.map(({ id }) => (
          <Button key={id} disabled={replay.isPending} onClick={() => replay.mutate(id)}>
            {t.replayRun(id)}
          </Button>
        ))}
      </div>
      {replay.error ? <Problem error={replay.error} /> : null}
      {isAsking ? (
        <ParameterForm
          label={t.runDry}
          declarations={declarationsOf(version)}
          submit={t.runDry}
          send={(parameters, options) => startRun(task.id, { parameters, dry_run: true, version_id: version.id }, options)}
          onDone={() => {
            setAsking(false);
            void reload();
          }}
        />
      ) : null}
    </div>
  );
}

/** Who decided what on this version. */
export function Decisions({ taskId, versionId }: { taskId: number; versionId: number }) {
  const decisions = useQuery(versionDecisions(taskId, versionId));
  const nameOf = useAdminName();
  if (!decisions.data || decisions.data.length === 0) return null;
  return (
    <Section title={t.decisions}>
      <ul className="evidence">
        {decisions.data.map(({ decision, admin_id, at, comment }) => (
          <li key={`${decision} ${at}`}>
            <span>
              {t.decided[decision](nameOf(admin_id) ?? t.somebody)}
              {comment === null ? null : <span className="decision-comment">{comment}</span>}
            </span>
            <MutedMoment at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
