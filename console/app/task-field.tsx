import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, tagged } from '../api/client.ts';
import { text } from '../texts/en/app.ts';
import { Button } from '../ui/button.tsx';
import { choicesQuery, Picker } from '../ui/picker.tsx';
import { useMay } from './shop.ts';
import './task-field.css';

const FOUND = 8;
const t = text.task;

type Props = {
  /** What the field finds, as its label says. */
  label: string;
  /** What holds while no task is chosen. */
  none: string;
  pointer: string;
  error: string | undefined;
  value: number | null;
  onValue(id: number | null): void;
};

/** One task, or none. */
export function TaskField({ label, none, pointer, error, value, onValue }: Props) {
  return (
    <div className="task-field">
      {value === null ? <p>{none}</p> : <Chosen label={label} id={value} drop={() => onValue(null)} />}
      <Picker
        label={value === null ? label : t.other}
        pointer={pointer}
        error={error}
        search={foundTasks}
        onPick={({ id }) => onValue(id)}
      />
    </div>
  );
}

function Chosen({ label, id, drop }: { label: string; id: number; drop(): void }) {
  const name = useTaskName(id);
  return (
    <p className="chosen-task">
      <span className="muted">{label}</span>
      <Link to="/tasks/$id" params={{ id: String(id) }}>
        {name}
      </Link>
      <Button kind="quiet" aria-label={t.dropName(name)} onClick={drop}>
        {t.drop}
      </Button>
    </p>
  );
}

/** The name of a task; its number until that is known, or where it may not be read. Of no task it is empty. */
export function useTaskName(id: number | undefined): string {
  const mayRead = useMay()('admin_api.ai_tasks.read');
  const task = useQuery(
    queryOptions({
      // The ETag belongs to the answer as a whole, which therefore stays one object.
      ...{ queryKey: ['ai_tasks.get', id], queryFn: () => tagged(api.ai_tasks.get(id ?? 0)), structuralSharing: false },
      enabled: mayRead && id !== undefined,
    }),
  );
  return id === undefined ? '' : (task.data?.value.task.name ?? t.number(id));
}

function foundTasks(typed: string) {
  return choicesQuery('tasks', typed, async () => {
    const { tasks } = await api.ai_tasks.list({ limit: FOUND, ...(typed === '' ? {} : { search: typed }) });
    return tasks.map(({ id, name }) => ({ id, name }));
  });
}
