import type { PendingPlan } from '../../contract/plan-requests.ts';
import { api } from '../api/client.ts';
import { approvalsText as t } from '../texts/approvals.ts';
import { useMe } from './shop.ts';
import { useReloadTasks } from './tasks.ts';
import { WithWords } from './with-words.tsx';

/** Declines a plan that waits for a second person, or withdraws one's own. */
export function DeclinePlan({ plan: { task_id, run_id, asked_by } }: { plan: PendingPlan }) {
  const isOwn = useMe().id === asked_by;
  return (
    <WithWords
      of={run_id}
      act={isOwn ? t.withdraw : t.decline}
      detail={t.declinePlanDetail}
      field={{ label: t.reason }}
      send={(reason, options) => api.ai_tasks.decline_plan(task_id, run_id, { reason }, options)}
      reload={useReloadTasks()}
    />
  );
}
