import { DialogDismiss, DialogHeading } from '@ariakit/react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { declaredOf } from '../../../../contract/declared.ts';
import type { SourceWarning } from '../../../../contract/source-warning.ts';
import { ApiError, once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { defined } from '../../../parts/search.ts';
import { text } from '../../../texts/app.ts';
import { editorText } from '../../../texts/editor.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import '../../../ui/form.css';
import { Modal } from '../../../ui/modal.tsx';
import { createTask, createVersion, readRun, readTask } from '../queries.ts';
import type { DraftValues } from './drafts.ts';
import type { DryRun } from './use-dry-run.ts';
import { type Base, sourceOf } from './version-values.ts';

const t = editorText.submitDialog;

export type Submitted = {
  taskId: number;
  versionId: number;
  version: number;
  approval: 'pending' | 'approved';
  warnings: readonly SourceWarning[];
};

type Props = {
  /** null: the task is made with this version. */
  taskId: number | null;
  base: Base;
  values: DraftValues;
  /** The thread of the assistant that has written in the draft, also one that is gone. */
  thread: number | undefined;
  /** The dry run of exactly what is submitted. */
  tried: Pick<DryRun, 'taskId' | 'runId'> | undefined;
  close(): void;
  onSubmitted(result: Submitted): void;
  /** The task has got a newer version since; nothing was made. */
  onOutdated(taskId: number, newerId: number): void;
};

/** Asks what is new, then makes a version out of what is written. */
export function SubmitDialog({ taskId, base, values, thread, tried, close, onSubmitted, onOutdated }: Props) {
  const key = useRetryKey();
  const [note, setNote] = useState('');
  const [named, setNamed] = useState({ name: '', description: '' });
  const before = declaredOf(sourceOf(base.values));
  const added = declaredOf(sourceOf(values)).filter((one) => !before.includes(one));
  const submit = useMutation({
    mutationFn: async (): Promise<Submitted> => {
      const content = {
        ...sourceOf(values),
        ...defined({ note: note.trim() === '' ? undefined : note, assistant_thread_id: thread, evidence: await evidenceOf(tried) }),
      };
      if (taskId === null) {
        const body = { ...named, ...content };
        const { task_id, version_id, ...made } = await createTask(body, once(key.of(body)));
        return { taskId: task_id, versionId: version_id, version: 1, ...made };
      }
      const body = { ...content, base_version_id: base.id };
      const { version_id, approval, warnings } = await createVersion(taskId, body, once(key.of(body)));
      const { value } = await readTask(taskId);
      return {
        taskId,
        versionId: version_id,
        version: value.versions.find(({ id }) => id === version_id)?.version ?? base.version + 1,
        approval,
        warnings,
      };
    },
    onSuccess: (result) => {
      key.spend();
      onSubmitted(result);
    },
    onError: async (error) => {
      if (taskId === null || !(error instanceof ApiError) || error.code !== 'version_outdated') return;
      const { value } = await readTask(taskId);
      const newest = value.versions.reduce((a, b) => (b.version > a.version ? b : a));
      onOutdated(taskId, newest.id);
    },
  });
  const send = (): void => {
    if (!submit.isPending) submit.mutate();
  };
  useShortcuts({ 'mod+s': send, 'mod+enter': send });
  return (
    <Modal close={close}>
      <DialogHeading>{taskId === null ? t.newTitle : t.title}</DialogHeading>
      <form
        className="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send();
        }}
      >
        {submit.error ? <Refused error={submit.error} /> : null}
        {added.length === 0 ? null : (
          <div>
            <p>{t.adds}</p>
            <ul className="desk-permissions">
              {added.map((one) => (
                <li key={one} className="added">
                  + {permissionText(one)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {taskId === null ? (
          <>
            <TextField
              label={tasksText.newTask.name}
              autoFocus
              maxLength={200}
              value={named.name}
              onValue={(name) => setNamed({ ...named, name })}
            />
            <TextArea
              label={tasksText.newTask.description}
              hint={tasksText.newTask.descriptionHint}
              value={named.description}
              onValue={(description) => setNamed({ ...named, description })}
            />
          </>
        ) : null}
        {thread === undefined ? null : <p className="muted">{t.assisted}</p>}
        <TextArea label={t.note} hint={t.noteHint} autoFocus={taskId !== null} value={note} maxLength={1000} onValue={setNote} />
        <div className="dialog-acts">
          <DialogDismiss className="button plain">{text.app.cancel}</DialogDismiss>
          <Button kind="first" type="submit" keys="mod+s" disabled={submit.isPending}>
            {t.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** A dry run that has ended well goes along, for whoever decides. One that asks still, or has failed, is none. */
async function evidenceOf(tried: Props['tried']): Promise<number[] | undefined> {
  if (tried?.taskId === undefined || tried.runId === undefined) return undefined;
  const { status } = await readRun(tried.taskId, tried.runId);
  return status === 'success' ? [tried.runId] : undefined;
}

/** What the server refuses of a version is not in the dialog, but behind it; so it is told in full. */
function Refused({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.status !== 422) return <Problem error={error} />;
  return (
    <div className="refusals" role="alert">
      <strong>{text.form.refused(error.errors.length)}</strong>
      <ul>
        {error.errors.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            {pointer?.replace(/^\//, '')}: {detail}
          </li>
        ))}
      </ul>
    </div>
  );
}
