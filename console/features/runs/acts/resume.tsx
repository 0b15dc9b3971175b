import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, Tick } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { startRun } from '../queries.ts';
import type { DialogProps } from './dialogs.tsx';

const t = runsText.resume;

/** Lets another run go on where this one stood. */
export function ResumeDialog({ run, task, open, close, drop }: DialogProps & { drop: boolean }) {
  const key = useRetryKey();
  const [version, setVersion] = useState<'same' | 'current'>('same');
  const [isDropped, setDropped] = useState(drop);
  const current = task.current_version;
  const hasNewer = current !== null && current.id !== run.version_id;
  const resume = useMutation({
    mutationFn: () => {
      const body = {
        resume_run_id: run.id,
        ...(version === 'current' ? { version } : {}),
        ...(isDropped ? { journal: 'drop' as const } : {}),
      };
      return startRun(run.task_id, body, once(key.of(body)));
    },
    onSuccess({ run_id: started }) {
      key.spend();
      open(started);
    },
  });
  return (
    <Dialog title={t.title(run.id)} close={close}>
      <p>{t.from}</p>
      {resume.error ? <Problem error={resume.error} /> : null}
      {hasNewer ? (
        <SelectField<'same' | 'current'>
          label={t.version}
          options={[
            ['same', t.same(run.version)],
            ['current', t.current(current.version)],
          ]}
          value={version}
          onValue={(next) => setVersion(next)}
        />
      ) : null}
      <Tick label={t.drop} checked={isDropped} onValue={setDropped} />
      {isDropped ? (
        <p className="warning" role="alert">
          {t.dropWarning}
        </p>
      ) : null}
      <div className="dialog-acts">
        <Button kind={isDropped ? 'danger' : 'first'} autoFocus disabled={resume.isPending} onClick={() => resume.mutate()}>
          {t.act}
        </Button>
      </div>
    </Dialog>
  );
}
