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

type Props = { taskId: number; isOwn(start: GatheredStart): boolean; mayWrite: boolean };

/** What a trigger or hook has gathered and not opened yet. */
export function WaitingStarts({ taskId, isOwn, mayWrite }: Props) {
  const { data } = useQuery(waiting(taskId));
  const starts = data?.starts.filter(isOwn) ?? [];
  if (starts.length === 0) return null;
  return (
    <Section title={t.waiting}>
      <ul className="waiting-starts">
        {starts.map((start) => (
          <Waiting key={start.id} start={start} mayWrite={mayWrite} />
        ))}
      </ul>
    </Section>
  );
}

function Waiting({ start, mayWrite }: { start: GatheredStart; mayWrite: boolean }) {
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
      <span>
        {key === null ? t.items(items) : t.keyed(key, items)}{' '}
        {due_at === null ? t.behind : <time dateTime={due_at}>{t.due(momentText(due_at, timezone, 'second'))}</time>}
      </span>
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
