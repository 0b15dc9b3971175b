import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { undoText } from '../../../texts/undo.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { planUndo, type UndoChoice } from '../queries.ts';

const t = undoText.ask;

type Props = { run: Run; runId: number; effects: number[] | undefined; open(runId: number): void; close(): void };

/** Makes the plan that takes a run back, or some of its effects. `runId`: the run, which may be the one that applied the plan of `run`. */
export function UndoDialog({ run, runId, effects, open, close }: Props) {
  const key = useRetryKey();
  const [what, setWhat] = useState<'run' | 'lineage'>('run');
  const hasLineage = runId === run.id && effects === undefined && (run.resumed_from_run_id !== null || run.resumed_by_run_id !== null);
  const plan = useMutation({
    mutationFn: () => {
      const body: UndoChoice = effects ? { effects } : what === 'lineage' ? { lineage: true } : {};
      return planUndo(run.task_id, runId, body, once(key.of([runId, body])));
    },
    onSuccess({ run_id: planned }) {
      key.spend();
      open(planned);
    },
  });
  return (
    <Dialog title={effects ? t.titleSome(effects.length, runId) : t.title(runId)} close={close}>
      <p>{t.detail}</p>
      {effects ? <p className="muted">{t.together}</p> : null}
      {plan.error ? <Problem error={plan.error} /> : null}
      {hasLineage ? (
        <SelectField<'run' | 'lineage'>
          label={t.what}
          options={[
            ['run', t.run(runId)],
            ['lineage', t.lineage],
          ]}
          value={what}
          onValue={setWhat}
        />
      ) : null}
      <div className="dialog-acts">
        <Button kind="first" autoFocus disabled={plan.isPending} onClick={() => plan.mutate()}>
          {t.make}
        </Button>
      </div>
    </Dialog>
  );
}
