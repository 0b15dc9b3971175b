import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EditForm } from '../../../parts/edit-form.tsx';
import { useRecordForm } from '../../../parts/record-form.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { createTask, type NewTask, type TaskSettings, updateTask } from '../queries.ts';

const t = tasksText.newTask;

type Names = { name: string; description: string };
type Props = {
  names: Names;
  content: Omit<NewTask, keyof Names>;
  settings?: TaskSettings;
  submit: string;
  autoFocus?: boolean;
  children?: ReactNode;
};

/** Names a new task, creates it with its first version, and goes on in the editor. */
export function NewTaskForm({ names, content, settings = {}, submit, autoFocus = names.name === '', children }: Props) {
  const navigate = useNavigate();
  const form = useRecordForm({
    values: names,
    async send(values, options) {
      const made = await createTask({ ...values, ...content }, options);
      if (Object.keys(settings).length > 0) await updateTask(made.task_id, { settings }, {});
      return made;
    },
    onSaved: ({ task_id }) => void navigate({ to: '/tasks/$id/editor', params: { id: String(task_id) }, ignoreBlocker: true }),
  });
  useShortcuts({ escape: () => void navigate({ to: '/tasks/new' }) });
  return (
    <EditForm
      label={t.title}
      form={form}
      submit={submit}
      canSendUnedited
      acts={
        <ButtonLink keys="escape" to="/tasks/new">
          {t.cancel}
        </ButtonLink>
      }
    >
      <TextField label={t.name} autoFocus={autoFocus} maxLength={200} {...form.text('name')} />
      <TextArea label={t.description} hint={t.descriptionHint} {...form.text('description')} />
      {children}
    </EditForm>
  );
}
