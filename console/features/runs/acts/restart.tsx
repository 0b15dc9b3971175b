import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { ParameterForm } from '../../../parts/parameter-form.tsx';
import { runsText } from '../../../texts/runs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, Tick } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Table } from '../../../ui/table.tsx';
import { checkpointState, restartRun } from '../queries.ts';
import { effectChange, effectWhat } from '../run/effects.tsx';
import type { DialogProps } from './dialogs.tsx';

const t = runsText.restart;

type Answer = Awaited<ReturnType<typeof restartRun>>;

/** Starts again from a checkpoint; what was written after it, and may be written twice, stands above the act. */
export function RestartDialog({ run, task, open, close, checkpoint }: DialogProps & { checkpoint: number }) {
  const stored = useQuery(checkpointState(run.task_id, run.id, checkpoint));
  const [version, setVersion] = useState<'same' | 'current'>('same');
  const [isDry, setDry] = useState(run.dry_run);
  const [isRecorded, setRecorded] = useState(false);
  const current = task.current_version;
  const hasNewer = !run.draft && current !== null && current.id !== run.version_id;
  // What another version than the current one declares is not at hand: its form shows the parameters that the run was given.
  const executed = version === 'current' || current?.id === run.version_id ? current : null;
  const given: JsonObject = JSON.parse(run.parameters);
  return (
    <Dialog title={t.title(run.id, checkpoint)} close={close}>
      <Loaded query={stored} rows={3}>
        {({ effects }) => (
          <>
            <p>{run.dry_run ? t.detailDry : t.detail}</p>
            {effects.total === 0 ? (
              run.dry_run ? null : (
                <p className="muted">{t.nothingAfter}</p>
              )
            ) : (
              <div className="restart-effects">
                <p className={isDry ? 'muted' : 'warning'}>{t.after(effects.total, effects.data.length)}</p>
                <Table
                  label={t.effects}
                  rows={effects.data}
                  columns={[
                    { name: 'what', head: runsText.effects.columns.what, cell: (effect) => effectWhat(effect, false) },
                    { name: 'change', head: runsText.effects.columns.change, cell: (effect) => effectChange(effect) },
                  ]}
                  idOf={({ call }) => call}
                  nameOf={({ path }) => path}
                />
              </div>
            )}
            <ParameterForm<Answer>
              label={t.title(run.id, checkpoint)}
              declarations={executed ? declarationsOf(executed) : []}
              given={given}
              submit={isDry ? t.dryRun : t.act}
              send={(parameters, options) => {
                // Parameters that a script has given stay what they are only if they are not given anew.
                const isSame = JSON.stringify(parameters) === JSON.stringify(given);
                const body = {
                  ...{ checkpoint, dry_run: isDry, record: isRecorded && !isDry },
                  ...(isSame ? {} : { parameters }),
                  ...(version === 'current' ? { version } : {}),
                };
                return restartRun(run.task_id, run.id, body, options);
              }}
              onDone={({ run_id: started }) => open(started)}
            >
              {hasNewer ? (
                <SelectField<'same' | 'current'>
                  label={runsText.resume.version}
                  options={[
                    ['same', runsText.resume.same(run.version)],
                    ['current', runsText.resume.current(current.version)],
                  ]}
                  value={version}
                  onValue={setVersion}
                />
              ) : null}
              <div>
                <Tick label={runsText.again.dry} checked={isDry} disabled={run.dry_run} onValue={setDry} />
                <Tick label={runsText.again.record} checked={isRecorded && !isDry} disabled={isDry} onValue={setRecorded} />
              </div>
            </ParameterForm>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
