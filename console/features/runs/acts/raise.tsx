import { once } from '../../../api/client.ts';
import { countText } from '../../../language/formats.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { runsText } from '../../../texts/runs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { raiseLimit, startRun } from '../queries.ts';
import { spentLimit } from '../run/why.ts';
import type { DialogProps } from './dialogs.tsx';

const t = runsText.raise;

type Props = DialogProps & { limit: string; next: 'resume' | 'again'; runAgain(): void };

/** Raises the limit that the run came up against, then lets it go on, or asks for the parameters of another run. */
export function RaiseDialog({ run, task, open, close, limit, next, runAgain }: Props) {
  const key = useRetryKey();
  const was = Object.entries(task.task.settings.limits).find(([name]) => name === limit)?.[1] ?? spentLimit(run.error_message);
  const form = useRecordForm<{ limit: number | null }, number | null>({
    values: { limit: typeof was === 'number' ? was * 2 : null },
    async send({ limit: value }) {
      await raiseLimit(run.task_id, limit, value);
      if (next === 'again') return null;
      const body = { resume_run_id: run.id };
      const { run_id: started } = await startRun(run.task_id, body, once(key.of(body)));
      key.spend();
      return started;
    },
    onSaved: (started) => (started === null ? runAgain() : open(started)),
  });
  const name = t.limits[limit] ?? limit;
  const pointer = `/settings/limits/${limit}`;
  return (
    <Dialog title={t.title(name)} close={close}>
      <Form label={t.title(name)} form={form} submit={next === 'resume' ? t.resume : t.again} keys="mod+enter" canSendUnedited>
        <p>{t.detail}</p>
        <NumberField
          label={name}
          hint={typeof was === 'number' ? t.now(countText(was)) : undefined}
          pointer={pointer}
          error={form.errorAt(pointer)}
          value={form.values.limit}
          onValue={(value) => form.set('limit', value)}
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
