import { useNavigate } from '@tanstack/react-router';
import { EditForm } from '../../parts/edit-form.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { tasksText } from '../../texts/tasks.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { PageHead } from '../../ui/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { createTask } from './queries.ts';

const t = tasksText.newTask;

/** A task has a version from the start; this one does nothing and may do nothing. */
const EMPTY_SOURCE = `export default async function main() {
  log('Nothing is done yet.');
}
`;

export function NewTaskPage() {
  const navigate = useNavigate();
  const form = useRecordForm({
    values: { name: '', description: '' },
    send: (values, options) =>
      createTask({ ...values, source_code: EMPTY_SOURCE, permissions: [], parameters: [], note: t.firstNote }, options),
    onSaved: ({ task_id }) => void navigate({ to: '/tasks/$id/editor', params: { id: String(task_id) }, ignoreBlocker: true }),
  });
  useShortcuts({ escape: () => void navigate({ to: '/tasks' }) });
  return (
    <>
      <PageHead title={t.title} note={t.note} />
      <EditForm
        label={t.title}
        form={form}
        submit={t.create}
        canSendUnedited
        acts={
          <ButtonLink keys="escape" to="/tasks">
            {t.cancel}
          </ButtonLink>
        }
      >
        <TextField label={t.name} autoFocus maxLength={200} {...form.text('name')} />
        <TextArea label={t.description} hint={t.descriptionHint} {...form.text('description')} />
      </EditForm>
    </>
  );
}
