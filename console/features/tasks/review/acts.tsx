import { useMutation } from '@tanstack/react-query';
import type { Task } from '../../../../contract/tasks.ts';
import { ApiError, once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { isSecondPersons, useSecondPerson } from '../../../parts/second-person.tsx';
import { useMay, useMe } from '../../../parts/shop.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { WithWords } from '../../../parts/with-words.tsx';
import { approvalsText } from '../../../texts/approvals.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { reviewText as t } from '../../../texts/review.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import {
  applyProposal,
  approveVersion,
  permissionsOf,
  rejectVersion,
  requestChanges,
  reviewedOf,
  revokeVersion,
  type VersionDetail,
} from '../queries.ts';

type Props = {
  task: Task;
  version: VersionDetail;
  approval: VersionDetail['approval'];
  /** What is not as it looks was scrolled into sight. */
  areMarksSeen: boolean;
  /** The version is not as it was on the screen. */
  onChanged(): void;
};

/** The decisions that are still open, or, disabled, why this admin cannot decide. */
export function Decide({ task, version, approval, areMarksSeen, onChanged }: Props) {
  const may = useMay();
  const me = useMe();
  const mayApprove = may('admin_api.ai_tasks.approve');
  if (task.deleted_at !== null) return null;
  if (approval === 'approved') return mayApprove ? <Revoke task={task} version={version} /> : null;
  if (approval !== 'pending') return null;
  const isOwn = version.is_own;
  const missing = permissionsOf(version).filter((one) => !may(one));
  const why = isOwn
    ? t.own
    : !mayApprove
      ? t.mayNotApprove
      : missing.length > 0
        ? t.notHeld(missing.map((one) => permissionText(one)).join(', '))
        : !areMarksSeen
          ? t.notSeen
          : version.proposal?.run_id === null
            ? t.notTried
            : null;
  return (
    <div className="decide">
      <div className="acts">
        {mayApprove ? <Reject task={task} version={version} isOwn={version.created_by === me.id} /> : null}
        {mayApprove && !isOwn && version.proposal === null ? <RequestChanges task={task} version={version} /> : null}
        <Approve task={task} version={version} isDisabled={why !== null} onChanged={onChanged} />
      </div>
      {why === null ? null : (
        <p className="muted" id="why-not">
          {why}
        </p>
      )}
    </div>
  );
}

type ApproveProps = Omit<Props, 'approval' | 'areMarksSeen'> & { isDisabled: boolean };

function Approve({ task, version, isDisabled, onChanged }: ApproveProps) {
  const reload = useReloadTasks();
  const key = useRetryKey();
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const planned = version.proposal?.run_id ?? null;
  const name = version.proposal ? t.applyPlan : t.approve;
  const approve = useMutation({
    mutationFn: async () => {
      const options = once(key.of([version.id, reviewedOf(version), planned]));
      await (planned === null ? approveVersion(task.id, version, options) : applyProposal(task.id, version, planned, options));
    },
    onSuccess: key.spend,
    onError: (error) => {
      if (isChanged(error)) onChanged();
    },
    onSettled: reload,
  });
  const second = useSecondPerson({
    run: { task_id: task.id, id: planned ?? 0 },
    mayApply: planned !== null,
    isOver: isDisabled || !mayWrite,
    error: approve.error,
    forget: approve.reset,
  });
  const canAct = !isDisabled && !second.isOthers;
  const act = (): void => {
    if (canAct && !approve.isPending) approve.mutate();
  };
  useShortcuts({ 'mod+enter': canAct ? { name, act } : act });
  return (
    <>
      {second.isWaiting ? null : second.act}
      {second.isOthers ? null : (
        <Button kind="first" keys="mod+enter" disabled={isDisabled || approve.isPending} aria-describedby="why-not" onClick={act}>
          {name}
        </Button>
      )}
      {second.words ? <p className="second-words muted">{second.words}</p> : null}
      <NotApproved error={approve.error} />
    </>
  );
}

function NotApproved({ error }: { error: Error | null }) {
  if (error === null || isChanged(error)) return null;
  if (!isSecondPersons(error)) return <Problem error={error} />;
  return (
    <p role="alert" className="second-words">
      {approvalsText.planRefusals.second_person_required}
    </p>
  );
}

function isChanged(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'version_changed' || error.code === 'changes_requested');
}

function Reject({ task, version, isOwn }: { task: Task; version: VersionDetail; isOwn: boolean }) {
  return (
    <WithWords
      of={version.id}
      reload={useReloadTasks()}
      act={version.proposal ? t.decline : isOwn ? t.withdraw : t.reject}
      title={version.proposal ? t.declineTitle : isOwn ? t.withdrawTitle(version.version) : t.rejectTitle(version.version)}
      detail={version.proposal ? t.declineDetail : t.rejectDetail}
      field={{ label: t.reason, hint: t.reasonHint }}
      send={(reason, options) => rejectVersion(task.id, version.id, reason, options)}
    />
  );
}

function RequestChanges({ task, version }: { task: Task; version: VersionDetail }) {
  return (
    <WithWords
      of={version.id}
      reload={useReloadTasks()}
      kind="plain"
      act={t.requestChanges}
      title={t.requestTitle(version.version)}
      detail={t.requestDetail}
      field={{ label: t.requestField, hint: t.reasonHint }}
      send={(comment, options) => requestChanges(task.id, version.id, comment, options)}
    />
  );
}

function Revoke({ task, version }: { task: Task; version: VersionDetail }) {
  return (
    <WithWords
      of={version.id}
      reload={useReloadTasks()}
      act={t.revoke}
      title={t.revokeTitle(version.version)}
      detail={t.revokeDetail}
      field={{ label: t.comment }}
      send={(comment, options) => revokeVersion(task.id, version.id, comment, options)}
    />
  );
}
