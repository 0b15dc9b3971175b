import { useMutation } from '@tanstack/react-query';
import type { PendingPlan } from '../../../contract/plan-requests.ts';
import type { PolicyChange } from '../../../contract/policy-changes.ts';
import { once } from '../../api/client.ts';
import { Decided, titleOf } from '../../app/gesture/decided.tsx';
import { PlanWrites } from '../../app/gesture/decided-parts.tsx';
import { DeclinePlan } from '../../parts/decline-plan.tsx';
import { useReload } from '../../parts/reload.ts';
import { useRetryKey } from '../../parts/retry-key.ts';
import { useActsAsOwner, useMay, useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { approvalsText as t } from '../../texts/approvals.ts';
import { decisionsText } from '../../texts/decisions.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { Sentence } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { applyChange, declineChange } from './queries.ts';
import '../../app/gesture/gesture.css';

/** A plan that was left to a second person, who looks at it on its page and applies it there; that of a proposal where it is reviewed. */
export function WaitingPlan({ plan }: { plan: PendingPlan }) {
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const { task_id, run_id, writes, may_apply: mayApply, refusal, proposal_version_id: proposal } = plan;
  const kind = mayApply ? 'first' : 'plain';
  return (
    <li>
      <div className="waiting-what">
        <Status tone={mayApply ? 'need' : 'rest'}>{`${plan.task_name} · ${t.planOf(run_id)}`}</Status>
        <span className="muted">
          <MarkedText text={t.asks(plan.asked_by_name)} /> · <Moment at={plan.asked_at} />
        </span>
        <span>
          <PlanWrites taskId={task_id} plan={{ run_id, writes }} rows={null} />
        </span>
        {plan.comment === null ? null : <MarkedText text={plan.comment} />}
        {refusal === null ? null : <span className="muted">{t.planRefusals[refusal]}</span>}
      </div>
      <div className="acts">
        {mayWrite && proposal === null ? <DeclinePlan plan={plan} /> : null}
        {proposal === null ? (
          <ButtonLink kind={kind} to="/tasks/$id/runs/$r" params={{ id: task_id, r: run_id }}>
            {t.toPlan}
          </ButtonLink>
        ) : (
          <ButtonLink kind={kind} to="/tasks/$id/versions/$v" params={{ id: String(task_id), v: String(proposal) }}>
            {t.review}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

/** What an owner proposes, as both decide on it, with what the other one does about it. */
export function WaitingChange({ change }: { change: PolicyChange }) {
  const { id, decided, may_apply: mayApply } = change;
  const isOwner = useActsAsOwner();
  const isOwn = useMe().id === change.proposed_by;
  const key = useRetryKey();
  const reload = useReloadChanges();
  const apply = useMutation({
    mutationFn: () => applyChange(id, once(key.of(['apply', id]))),
    onSuccess() {
      key.spend();
      tellDone(t.applied(titleOf(decided)));
    },
    onSettled: reload,
  });
  return (
    <li>
      <div className="waiting-what gesture">
        <Status tone={mayApply ? 'need' : 'rest'}>{titleOf(decided)}</Status>
        <span className="muted">
          <MarkedText text={t.proposes(change.proposed_by_name)} /> · <Moment at={change.created_at} /> ·{' '}
          <Sentence words={t.until} parts={[<Moment key="until" at={change.expires_at} />]} />
        </span>
        {change.comment === null ? null : <MarkedText text={change.comment} />}
        <Decided decided={decided} exactly={decisionsText.proposal.exactly} />
        {isOwn ? <span className="muted">{t.ownChange}</span> : null}
        {apply.error ? <Problem error={apply.error} /> : null}
      </div>
      {isOwner ? (
        <div className="acts">
          <WithWords
            of={id}
            act={isOwn ? t.withdraw : t.decline}
            detail={t.declineChangeDetail}
            field={{ label: t.reason }}
            send={(reason, options) => declineChange(id, { reason }, options)}
            reload={reload}
          />
          {mayApply ? (
            <Button kind="first" disabled={apply.isPending} onClick={() => apply.mutate()}>
              {t.apply}
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

/** A change of the rules may be of the settings, or of who is an owner. */
function useReloadChanges(): () => Promise<void> {
  const reload = useReload();
  return () => reload('policy_changes', 'settings', 'admins', 'admin_invitations', 'notifications', 'audit_log', 'logs');
}
