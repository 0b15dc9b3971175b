import { useMutation, useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { JsonObject } from '../../../../contract/run-events.ts';
import type { Run } from '../../../../contract/runs.ts';
import { once } from '../../../api/client.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { ParameterForm } from '../../../parts/parameter-form.tsx';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { taskRecord, useReloadTasks } from '../../../parts/tasks.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, Tick } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { cancelRun, startReplay, startRun, type TaskWithVersions } from '../queries.ts';
import { RaiseDialog } from './raise.tsx';
import { ResumeDialog } from './resume.tsx';

const UndoDialog = lazyRouteComponent(() => import('./undo.tsx'), 'UndoDialog');
const RestartDialog = lazyRouteComponent(() => import('./restart.tsx'), 'RestartDialog');

/** What the page asks before it acts on the run. */
export type Asked =
  | { kind: 'resume'; drop?: boolean }
  | { kind: 'again' }
  | { kind: 'cancel' }
  | { kind: 'replay' }
  /** `runId`: of the run that applied this plan; without it, of this run. */
  | { kind: 'undo'; runId?: number; effects?: number[] }
  | { kind: 'restart'; checkpoint: number }
  | { kind: 'raise'; limit: string; next: 'resume' | 'again' };

export type DialogProps = { run: Run; task: TaskWithVersions; open(runId: number): void; close(): void };

export function RunDialogs({ run, asked, close }: { run: Run; asked: Asked; close(): void }) {
  const task = useQuery({ ...taskRecord(run.task_id), refetchInterval: false });
  const navigate = useNavigate();
  const reload = useReloadTasks();
  const [isRaised, setRaised] = useState(false);
  function open(runId: number): void {
    close();
    void reload();
    void navigate({ to: '/tasks/$id/runs/$r', params: { id: run.task_id, r: runId } });
  }
  if (asked.kind === 'cancel') return <CancelDialog run={run} close={close} />;
  if (asked.kind === 'undo') {
    return (
      <Suspense fallback={null}>
        <UndoDialog run={run} runId={asked.runId ?? run.id} effects={asked.effects} open={open} close={close} />
      </Suspense>
    );
  }
  if (!task.data) {
    return (
      <Dialog title={runsText.run(run.id)} close={close}>
        {task.error ? <Problem error={task.error} retry={() => void task.refetch()} /> : <Skeleton rows={3} />}
      </Dialog>
    );
  }
  const props = { run, task: task.data.value, open, close };
  switch (asked.kind) {
    case 'resume':
      return <ResumeDialog {...props} drop={asked.drop === true} />;
    case 'again':
      return <AgainDialog {...props} />;
    case 'replay':
      return <ReplayDialog {...props} />;
    case 'restart':
      return (
        <Suspense fallback={null}>
          <RestartDialog {...props} checkpoint={asked.checkpoint} />
        </Suspense>
      );
    case 'raise':
      if (isRaised) return <AgainDialog {...props} />;
      return <RaiseDialog {...props} limit={asked.limit} next={asked.next} runAgain={() => setRaised(true)} />;
    default:
      return asked satisfies never;
  }
}

function CancelDialog({ run, close }: { run: Run; close(): void }) {
  const t = runsText.cancel;
  const reload = useReloadTasks();
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.task_id, run.id),
    onSuccess: close,
    onSettled: reload,
  });
  return (
    <Confirm
      title={t.title(run.id)}
      act={t.act}
      back={t.keep}
      isDanger
      isBusy={cancel.isPending}
      error={cancel.error}
      onAct={() => cancel.mutate()}
      close={close}
    >
      <p>{t.detail}</p>
    </Confirm>
  );
}

/** Another run of the task with the same parameters, which may be changed before. */
function AgainDialog({ run, task, open, close }: DialogProps) {
  const t = runsText.again;
  const [isDry, setDry] = useState(run.dry_run);
  const [isRecorded, setRecorded] = useState(run.record);
  const current = task.current_version;
  if (!current) {
    return (
      <Dialog title={t.title(task.task.name)} close={close}>
        <p>{t.noVersion}</p>
      </Dialog>
    );
  }
  const declarations = declarationsOf(current);
  const given: JsonObject = JSON.parse(run.parameters);
  return (
    <Dialog title={t.title(task.task.name)} close={close}>
      <ParameterForm
        label={t.title(task.task.name)}
        declarations={declarations}
        given={given}
        submit={isDry ? t.dryRun : t.run}
        send={(parameters, options) => startRun(run.task_id, { parameters, dry_run: isDry, record: isRecorded && !isDry }, options)}
        onDone={({ run_id: started }) => open(started)}
      >
        <div>
          <Tick label={t.dry} checked={isDry} onValue={setDry} />
          <Tick label={t.record} checked={isRecorded && !isDry} disabled={isDry} onValue={setRecorded} />
        </div>
      </ParameterForm>
    </Dialog>
  );
}

/** The recorded run once more, with the version that recorded it or with another one. */
function ReplayDialog({ run, task, open, close }: DialogProps) {
  const t = runsText.replay;
  const key = useRetryKey();
  const [versionId, setVersionId] = useState(String(run.version_id));
  const replay = useMutation({
    mutationFn: (id: number) => startReplay(run.task_id, run.id, id, once(key.of([run.id, id]))),
    onSuccess({ run_id: started }) {
      key.spend();
      open(started);
    },
  });
  const options = task.versions
    .filter(({ id, approval }) => id === run.version_id || approval === 'approved' || approval === 'pending')
    .map(({ id, version, approval }) => [String(id), t.versionName(version, approval, id === run.version_id)] as const);
  return (
    <Dialog title={t.title(run.id)} close={close}>
      <p>{t.detail}</p>
      {replay.error ? <Problem error={replay.error} /> : null}
      <SelectField label={t.version} options={options} value={versionId} onValue={setVersionId} />
      <div className="dialog-acts">
        <Button kind="first" disabled={replay.isPending} onClick={() => replay.mutate(Number(versionId))}>
          {t.act}
        </Button>
      </div>
    </Dialog>
  );
}
