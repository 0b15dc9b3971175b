import { countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** The texts of what tells of runs and asks for their parameters; several pages show it. */
const english = {
  status: {
    running: 'Running',
    success: 'Success',
    failed: 'Failed',
    timed_out: 'Out of time',
    interrupted: 'Interrupted',
    cancelled: 'Cancelled',
    resumed: 'Resumed',
  } as Record<string, string>,
  waiting: {
    no_runner: 'Waits for a runner',
    runners_busy: 'Waits for a free runner',
    concurrency: 'Waits for its turn',
    prompt: 'Waits for an answer',
    task: 'Waits for another task',
    retry: 'Waits for its next attempt',
  },
  ended: {
    completed: 'completed',
    script_error: 'error in the script',
    heap: 'out of memory',
    cpu: 'out of processor time',
    wall: 'out of time',
    budget: 'a budget is spent',
    lost_runner: 'its runner was lost',
    lost_worker: 'its worker was lost',
    drained: 'its runner was stopped',
    cancelled: 'cancelled',
    revoked: 'its version was revoked',
    expired: 'no runner took it in time',
    prompt_timeout: 'nobody answered',
    resume_mismatch: 'went another way',
    replay_parted: 'went another way',
    sandbox: 'the sandbox failed',
  },
  attemptOf: (attempt: number, of: number | null) => (of === null ? countText(attempt) : `${countText(attempt)} of ${countText(of)}`),
  nextAttempt: (attempt: string, at: string) => `attempt ${attempt}, next at ${at}`,
  planReady: 'Plan ready',
  planApplied: 'Plan applied',
  dryRun: 'dry run',
  replay: 'replay',
  restarted: (id: number) => `restart of run ${id}`,
  /** Who started a run: an admin, or what acts by itself. */
  startedBy: {
    schedule: (id: string) => `schedule ${id}`,
    trigger: (id: string) => `trigger ${id}`,
    hook: (id: string) => `hook ${id}`,
    handler: (id: string) => `end of run ${id}`,
    run: (id: string) => `run ${id}`,
    admin: (id: string) => `admin ${id}`,
  },
  fields: {
    choose: 'Choose …',
    yes: 'Yes',
    no: 'No',
    leftEmpty: (value: string) => `Left empty: ${value}`,
    chosen: (label: string, count: string) => `${label}: ${count} chosen`,
    more: (count: string) => `and ${count} more`,
    remove: (name: string) => `Remove ${name}`,
    removeAll: 'Remove all',
    uploading: (name: string) => `Uploading ${name} …`,
    file: (id: number) => `File ${id}`,
    otherFile: 'Another file',
    mayNotUpload: 'You may neither upload files nor see those that there are.',
    uploaded: 'Find a file that is uploaded already',
  },
  parameters: { none: 'This task has no parameters.', run: 'Run' },
  prompt: { send: 'Answer', form: (label: string) => `Question: ${label}` },
} as const;

export type RunPartsText = Words<typeof english>;
export const runPartsText = translated('runParts', english);
