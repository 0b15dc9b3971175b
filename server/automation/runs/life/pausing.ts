import type { Trial, VersionTrial } from '../../../../contract/trials.ts';
import type { Row } from '../../../db/tables.ts';
import { storeEvents } from '../../../resources/audit/domain.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { judgeEnd } from '../../trials/domain.ts';
import type { CountedError } from '../errors/counting.ts';
import type { RunRow } from '../rows/store.ts';
import { notifyOfTask } from './task-notices.ts';

type Task = Pick<Row<'tasks'>, 'id' | 'name' | 'current_version_id'>;

/** Counts the end in the trial of the run's version; if the version does worse than the one before it, its task is paused, and admins are told. */
export async function pauseIfWorse(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now' | 'settings' | 'requestId' | 'after' | 'services'>,
  task: Task,
  trial: Trial | null,
  { run, status, error }: { run: RunRow; status: string; error: CountedError | null },
): Promise<void> {
  if (trial === null || run.version_id !== task.current_version_id || run.dry_run === 1 || run.replay_of_run_id !== null) return;
  if (error === null && status !== 'success') return;
  const paused = await judgeEnd(ctx, trial, run, error === null ? 'success' : 'failure');
  if (paused) await tellPaused(ctx, task, paused, run);
}

async function tellPaused(
  ctx: Parameters<typeof pauseIfWorse>[0],
  task: Task,
  { version_id, reason, before, figures }: VersionTrial,
  run: RunRow,
): Promise<void> {
  const data = { task_id: task.id, version_id, run_id: run.id, reason: reason ?? 'failures' };
  await storeEvents(ctx, [{ type: 'task.paused', data }], run.lineage_id);
  const figure = reason === 'failures' ? failures : effects;
  await notifyOfTask(ctx, {
    event: 'task.paused',
    task,
    versionId: version_id,
    type: 'ai_task_paused',
    title: 'A task was paused',
    message: `The new version of "${task.name}" did worse than version ${before.version}: ${figure(figures)}, before ${figure(before)}. The task opens no run until somebody decides`,
    metadata: { ...data, before_version: before.version },
    runId: run.id,
    reason,
  });
}

const failures = ({ runs, failures }: VersionTrial['figures']) => `${failures} of ${runs} runs failed`;
const effects = ({ effects }: VersionTrial['figures']) => `${effects} effects of a run`;
