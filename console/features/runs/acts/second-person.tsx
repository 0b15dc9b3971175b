import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { ApiError } from '../../../api/client.ts';
import { DeclinePlan } from '../../../parts/decline-plan.tsx';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { pendingPlans } from '../../../parts/waiting.ts';
import { WithWords } from '../../../parts/with-words.tsx';
import { approvalsText } from '../../../texts/approvals.ts';
import { runsText } from '../../../texts/runs.ts';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { askSecondPerson } from '../queries.ts';

const t = runsText.apply;

/** Whether whoever made a plan was refused to apply it. */
export const isSecondPersons = (error: unknown): boolean => error instanceof ApiError && error.code === 'second_person_required';

/** `isOver`: the plan can never be applied. `error`: why it was not applied. */
type Asked = { run: Run; mayApply: boolean; isOver: boolean; error: unknown; forget(): void };
type Second = { isOthers: boolean; act: ReactNode; words: ReactNode };

/** A plan that can be left to a second person, or waits for one. `isOthers`: somebody else applies it. */
export function useSecondPerson({ run, mayApply, isOver, error, forget }: Asked): Second {
  const { data } = useQuery({ ...pendingPlans, enabled: mayApply });
  const waiting = data?.find((plan) => plan.run_id === run.id);
  if (waiting === undefined) {
    const act = mayApply && !isOver ? <LeavePlan run={run} onLeft={forget} /> : null;
    return { isOthers: isSecondPersons(error), act, words: null };
  }
  const isOthers = !waiting.may_apply;
  const words = (
    <>
      <MarkedText text={approvalsText.asks(waiting.asked_by_name)} />
      {waiting.refusal === null ? null : <span>{approvalsText.planRefusals[waiting.refusal]}</span>}
    </>
  );
  return { isOthers, act: mayApply ? <DeclinePlan plan={waiting} /> : null, words };
}

/** Whoever made it cannot apply it then. */
function LeavePlan({ run, onLeft }: { run: Run; onLeft(): void }) {
  const reload = useReloadTasks();
  return (
    <WithWords
      of={run.id}
      kind="plain"
      act={t.leave}
      title={t.leaveTitle}
      detail={t.leaveDetail}
      field={{ label: t.comment }}
      send={(comment, options) => askSecondPerson(run.task_id, run.id, { comment }, options)}
      reload={async () => {
        await reload();
        onLeft();
      }}
    />
  );
}
