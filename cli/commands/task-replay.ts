import type { CallDiff, Replay } from '../../contract/replays.ts';
import { type Command, DIR_HELP, exactly, folderOption, note, type Option, parse, readId, SERVER_HELP, say } from '../command.ts';
import { UsageError } from '../failure.ts';
import { recallTasks } from '../memory.ts';
import { oneLine } from '../screen.ts';
import { findTask } from '../server-task.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { loadMeta } from '../task-files.ts';
import { watch } from './run-watch.ts';
import { PUSH_HELP, pushFrom, pushOptions, showPushed } from './task-push.ts';

export const taskReplay: Command = {
  name: 'task replay',
  usage: 'NAME | TASK_ID RUN_ID [--push | --version VERSION_ID] [--dir DIR] [--force] [--yes]',
  about: 'carries out a recorded run again with the answers of its recording, and shows what differs',
  options: [
    ['--push', 'pushes the task from the folder and replays with that version, even if it is pending'],
    ['--version VERSION_ID', 'replays with this version (default: the recorded one)'],
    ...PUSH_HELP.map(([typed, does]): Option => [typed, `with --push: ${does}`]),
    DIR_HELP,
    ...SERVER_HELP,
  ],
  example: 'npx backroom task replay 1 "$(npx backroom runs list --limit 1 | cut -d " " -f 1)"',
  notes: [
    'A replay gets recorded answers only and changes nothing. "task run --record" records a run.',
    'The exit code is 0 where the replay is identical to the recorded run, else 1.',
  ],
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      ...folderOption,
      push: { type: 'boolean', default: false },
      version: { type: 'string' },
      ...pushOptions,
    });
    const [name = '', run = ''] = exactly(positionals, ['NAME or TASK_ID', 'RUN_ID']);
    if (values.push && values.version !== undefined) throw new UsageError('--push and --version cannot be used together');
    const isId = /^\d+$/.test(name);
    if (isId && values.push) throw new UsageError('--push needs the NAME of a task in the folder, not a TASK_ID');
    const recordedId = readId('RUN_ID', run);
    let versionId = values.version === undefined ? undefined : readId('--version', values.version);
    const session = await openSession(values);
    let taskId = isId ? readId('TASK_ID', name) : 0;
    if (values.push) {
      const pushed = await pushFrom(session, values, name, note);
      showPushed(name, pushed, note);
      taskId = pushed.taskId;
      versionId = pushed.version.id;
    } else if (!isId) taskId = await taskIdOf(session, values.dir, name);
    const { client } = session.shop;
    const { run_id: runId } = await client.replays.start(taskId, recordedId, versionId === undefined ? {} : { version_id: versionId });
    note(`${name}: run ${runId} replays run ${recordedId}`);
    if (!(await watch(session.shop, { taskId, runId }, {}))) return 130;
    const report = await client.replays.get(taskId, runId);
    for (const line of reportLines(report)) say(`  ${oneLine(line)}`);
    return report.identical ? 0 : 1;
  },
};

async function taskIdOf({ server, shop }: Session, folder: string, name: string): Promise<number> {
  const { name: title } = await loadMeta(folder, name);
  const found = await findTask(shop.client, title, (await recallTasks(folder, server)).get(name));
  if (!found) throw new UsageError(`${name} is not on the server`);
  return found.task.id;
}

const ENDS: Record<Replay['ended'], string> = {
  completed: "at the script's own end",
  parted: 'at calls for which the recording has no answer',
  recording_ended: 'where the recorded run was cut off',
  interrupted: 'interrupted',
};

function reportLines(report: Replay): string[] {
  const { calls, effects, results, log } = report;
  if (report.identical) return ['identical: everything came again, and nothing else'];
  const counts = ({ same, changed, added, missing }: CallDiff): string =>
    `${same} the same, ${changed} changed, ${added} added, ${missing} missing`;
  const lines = [
    `not identical; it ended ${ENDS[report.ended]}`,
    `status   ${report.recorded.status}${same(report.recorded.status, report.replayed.status)}`,
    `calls    ${counts(calls)}`,
    `effects  ${counts(effects)}`,
    `results  ${results.same} the same, ${results.added} added, ${results.missing} missing`,
  ];
  for (const { method, path, body, recorded_body } of calls.changes) {
    lines.push(`~ ${method} ${path}`, `    recorded ${recorded_body}`, `    now      ${body}`);
  }
  for (const { method, path, body } of calls.omissions) lines.push(`- ${method} ${path}${body === null ? '' : ` ${body}`}`);
  for (const { method, path, body } of calls.additions) lines.push(`+ ${method} ${path}${body === null ? '' : ` ${body}`}`);
  for (const text of results.omissions) lines.push(`- result ${text}`);
  for (const text of results.additions) lines.push(`+ result ${text}`);
  const first = log.first_difference;
  if (first) lines.push(`log, line ${first.line}`, `- ${first.recorded ?? '(none)'}`, `+ ${first.replayed ?? '(none)'}`);
  return lines;
}

function same(recorded: string, replayed: string): string {
  return recorded === replayed ? '' : ` → ${replayed}`;
}
