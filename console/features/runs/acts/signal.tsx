import type { Json } from '../../../../contract/run-events.ts';
import type { Run } from '../../../../contract/runs.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { runsText } from '../../../texts/runs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { sendSignal } from '../queries.ts';

const t = runsText.waits;

type Values = { key: string; value: Json | undefined };

/** Sends a signal to a run. `keys`: those that it waits for; an empty one stands for none. */
export default function SendSignal({ run, keys: [first = ''], close }: { run: Run; keys: readonly string[]; close(): void }) {
  const reload = useReloadTasks();
  const form = useRecordForm<Values, unknown>({
    values: { key: first, value: undefined },
    send: ({ key, value }, options) => sendSignal(run.task_id, run.id, { ...(key !== '' && { key }), value: value ?? null }, options),
    onSaved() {
      close();
      return reload();
    },
  });
  return (
    <Dialog title={t.send} close={close}>
      <Form label={t.send} form={form} submit={t.send} keys="mod+enter" canSendUnedited>
        <TextField
          label={t.key}
          hint={t.keyHint}
          value={form.values.key}
          onValue={(key) => form.set('key', key)}
          error={form.errorAt('/key')}
        />
        <JsonField
          label={t.value}
          hint={t.valueHint}
          value={form.values.value}
          onValue={(value) => form.set('value', value)}
          error={form.errorAt('/value')}
        />
      </Form>
    </Dialog>
  );
}
