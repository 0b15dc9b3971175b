import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TaskSettings } from '../../../contract/tasks.ts';
import { tasksText } from '../../texts/en/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Picker } from '../../ui/picker.tsx';
import { foundTasks, taskRecord } from './queries.ts';

const t = tasksText.settings.handler;
const POINTER = '/settings/error_handler/task_id';

type Handler = TaskSettings['error_handler'];
type Props = { handler: Handler; errorAt(pointer: string): string | undefined; set(handler: Handler): void };

/** The task that runs when a run of this one ends badly. */
export function HandlerField({ handler, errorAt, set }: Props) {
  return (
    <Section title={t.title}>
      <p className="muted">{t.note}</p>
      {handler === null ? <p>{t.none}</p> : <Chosen id={handler.task_id} drop={() => set(null)} />}
      <Picker
        label={handler === null ? t.find : t.findOther}
        pointer={POINTER}
        error={errorAt(POINTER)}
        search={foundTasks}
        onPick={({ id }) => set({ task_id: id })}
      />
    </Section>
  );
}

function Chosen({ id, drop }: { id: number; drop(): void }) {
  const task = useQuery(taskRecord(id));
  const name = task.data?.value.task.name ?? t.task(id);
  return (
    <p className="chosen-handler">
      <Link to="/tasks/$id" params={{ id: String(id) }}>
        {name}
      </Link>
      <Button kind="quiet" aria-label={t.dropName(name)} onClick={drop}>
        {t.drop}
      </Button>
    </p>
  );
}
