import { useMutation } from '@tanstack/react-query';
import { useAdminName, useIsDeactivated } from '../../parts/admin-names.ts';
import { useReloadTasks } from '../../parts/tasks.ts';
import { tasksText } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Banner } from '../../ui/tabs.tsx';

const t = tasksText.actsFor;

type Props = { adminId: number; mayWrite: boolean /** Saves without a change. */; takeOver(): Promise<unknown> };

/** For whom the runs of a schedule, trigger, hook or error handler act. Where that admin was deactivated, whoever may save it can take it over. */
export function ActsFor({ adminId, mayWrite, takeOver }: Props) {
  const reload = useReloadTasks();
  const name = useAdminName()(adminId);
  const isDeactivated = useIsDeactivated()(adminId);
  const save = useMutation({ mutationFn: takeOver, onSuccess: reload });
  if (name === undefined) return null;
  if (!isDeactivated) return <p className="muted sheet-note">{t.note(name)}</p>;
  return (
    <Banner tone="need">
      <p>{t.deactivated(name)}</p>
      {mayWrite ? (
        <Button disabled={save.isPending} onClick={() => save.mutate()}>
          {t.takeOver}
        </Button>
      ) : null}
      {save.error ? <Problem error={save.error} /> : null}
    </Banner>
  );
}
