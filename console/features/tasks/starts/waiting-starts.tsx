import { useMutation, useQuery } from '@tanstack/react-query';
import type { GatheredStart } from '../../../../contract/start-options.ts';
import { api } from '../../../api/client.ts';
import { momentText } from '../../../language/formats.ts';
import { queryOf } from '../../../parts/queries.ts';
import { useReload } from '../../../parts/reload.ts';
import { useShop } from '../../../parts/shop.ts';
import { gatheringText as t } from '../../../texts/gathering.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';

const waiting = queryOf('ai_tasks.list_gathered_starts', api.ai_tasks.list_gathered_starts);

/** `keyName`: the field by which they are told apart; null: by none, or by one that is not shown. */
type Props = { taskId: number; keyName: string | null; isOwn(start: GatheredStart): boolean; mayWrite: boolean };

/** What a trigger or hook has gathered and not opened yet. */
export function WaitingStarts({ taskId, keyName, isOwn, mayWrite }: Props) {
  const { data } = useQuery(waiting(taskId));
  const starts = data?.starts.filter(isOwn) ?? [];
  if (starts.length === 0) return null;
  return (
    <Section title={t.waiting}>
      <ul className="waiting-starts">
        {starts.map((start) => (
          <Waiting key={start.id} start={start} keyName={keyName} mayWrite={mayWrite} />
        ))}
      </ul>
    </Section>
  );
}

function Waiting({ start, keyName, mayWrite }: { start: GatheredStart; keyName: string | null; mayWrite: boolean }) {
  const reload = useReload();
  const { timezone } = useShop();
  const { id, task_id, items, due_at, key } = start;
  const act = useMutation({
    mutationFn: async (isOpened: boolean): Promise<void> => {
      if (isOpened) await api.ai_tasks.open_gathered_start(task_id, id);
      else await api.ai_tasks.drop_gathered_start(task_id, id);
    },
    onSettled: () => reload('ai_tasks'),
  });
  return (
    <li>
      <div>
        <div>{key === null || keyName === null ? t.items(items) : t.keyed(keyName, key, items)}</div>
        <div className="muted">
          {due_at === null ? t.behind : <time dateTime={due_at}>{t.due(momentText(due_at, timezone, 'second'))}</time>}
        </div>
      </div>
      {mayWrite ? (
        <span className="acts">
          <Button disabled={act.isPending} onClick={() => act.mutate(true)}>
            {t.openNow}
          </Button>
          <Button kind="quiet" disabled={act.isPending} onClick={() => act.mutate(false)}>
            {t.drop}
          </Button>
        </span>
      ) : null}
      {act.error ? <Problem error={act.error} /> : null}
    </li>
  );
}
