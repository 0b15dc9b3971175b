import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, api } from '../api/client.ts';
import { approvalsText as t } from '../texts/approvals.ts';
import { MarkedText } from '../ui/marked-text.tsx';
import { DeclinePlan } from './decline-plan.tsx';
import { useReloadTasks } from './tasks.ts';
import { pendingPlans } from './waiting.ts';
import { WithWords } from './with-words.tsx';

/** Whether whoever made a plan was refused to apply it. */
export const isSecondPersons = (error: unknown): boolean => error instanceof ApiError && error.code === 'second_person_required';

type Planned = { task_id: number; id: number };
/** `isOver`: the plan can never be applied. `error`: why it was not applied. */
type Asked = { run: Planned; mayApply: boolean; isOver: boolean; error: unknown; forget(): void };
type Second = { isWaiting: boolean; isOthers: boolean; act: ReactNode; words: ReactNode };

/** A plan that can be left to a second person, or waits for one. `isOthers`: somebody else applies it. */
export function useSecondPerson({ run, mayApply, isOver, error, forget }: Asked): Second {
  const { data } = useQuery({ ...pendingPlans, enabled: mayApply });
  const waiting = data?.find((plan) => plan.run_id === run.id);
  if (waiting === undefined) {
    const act = mayApply && !isOver ? <LeavePlan run={run} onLeft={forget} /> : null;
    return { isWaiting: false, isOthers: isSecondPersons(error), act, words: null };
  }
  const words = (
    <>
      <span>
        <MarkedText text={t.asks(waiting.asked_by_name)} />
      </span>
      {waiting.comment === null ? null : (
        <span>
          <MarkedText text={waiting.comment} />
        </span>
      )}
      {waiting.refusal === null ? null : <span>{t.planRefusals[waiting.refusal]}</span>}
    </>
  );
  return { isWaiting: true, isOthers: !waiting.may_apply, act: mayApply ? <DeclinePlan plan={waiting} /> : null, words };
}

/** Whoever made it cannot apply it then. */
function LeavePlan({ run, onLeft }: { run: Planned; onLeft(): void }) {
  const reload = useReloadTasks();
  return (
    <WithWords
      of={run.id}
      kind="plain"
      act={t.leave}
      title={t.leaveTitle}
      detail={t.leaveDetail}
      field={{ label: t.comment }}
      send={(comment, options) => api.ai_tasks.ask_second_person(run.task_id, run.id, { comment }, options)}
      reload={async () => {
        await reload();
        onLeft();
      }}
    />
  );
}
