import type { ReactNode } from 'react';
import type { TaskSettings } from '../../../../contract/tasks.ts';
import { TaskField } from '../../../parts/task-field.tsx';
import { tasksText } from '../../../texts/tasks.ts';
import { Section } from '../../../ui/page.tsx';

const t = tasksText.settings.handler;
const POINTER = '/settings/error_handler/task_id';

type Handler = TaskSettings['error_handler'];
type Props = { handler: Handler; errorAt(pointer: string): string | undefined; set(handler: Handler): void; children: ReactNode };

/** The task that runs when a run of this one ends badly. */
export function HandlerField({ handler, errorAt, set, children }: Props) {
  return (
    <Section title={t.title}>
      <p className="muted">{t.note}</p>
      <TaskField
        label={t.find}
        none={t.none}
        pointer={POINTER}
        error={errorAt(POINTER)}
        value={handler?.task_id ?? null}
        onValue={(id) => set(id === null ? null : { task_id: id })}
      />
      {children}
    </Section>
  );
}
