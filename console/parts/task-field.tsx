import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Picker } from '../ui/picker.tsx';
import { useMay } from './shop.ts';
import { foundTasks, taskRecord } from './tasks.ts';
import './task-field.css';

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
  const task = useQuery({ ...taskRecord(id ?? 0), enabled: mayRead && id !== undefined });
  return id === undefined ? '' : (task.data?.value.task.name ?? t.number(id));
}
