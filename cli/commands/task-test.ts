import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, DIR_HELP, folderOption, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { json } from '../editor-files.ts';
import { Failure, UsageError } from '../failure.ts';
import { refuseLinkOut } from '../inside.ts';
import { recallTasks } from '../memory.ts';
import { passOn } from '../pass-on.ts';
import { openSession, type Session, serverOptions } from '../session.ts';
import { exists, loadMeta, pathsOf, taskNames } from '../task-files.ts';

export const taskTest: Command = {
  name: 'task test',
  usage: '[NAME]… [--replay RUN_ID [--force]] [--dir DIR]',
  about: 'runs the tests of tasks (NAME.test.ts) in the real sandbox, against a temporary shop',
  options: [
    ['--replay RUN_ID', 'writes what a recorded run of the server was given to fixtures/run-RUN_ID.json, for a test to replay'],
    ['--force', 'with --replay: overwrites another file of that name'],
    DIR_HELP,
    ...SERVER_HELP,
  ],
  notes: [
    'Without a NAME, all tests of the folder are run. The exit code is 1 where a test fails.',
    'A fixture holds all that the run read: keep it where only people who may read that can see it.',
  ],
  example: 'npx backroom task test pending-orders',
  run: (args) => (args.some((arg) => /^--replay(=|$)/.test(arg)) ? saveFixture(args) : passOn('ops/task-test.ts', args)),
};

/** Writes the fixture of a recorded run, and a test that replays it where the task has none. */
async function saveFixture(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, {
    ...serverOptions,
    ...folderOption,
    replay: { type: 'string' },
    force: { type: 'boolean', default: false },
  });
  if (positionals.length > 1) throw new UsageError('with --replay one NAME at most is accepted, the task that the run is of');
  const runId = readId('--replay', values.replay ?? '');
  const { dir } = values;
  const session = await openSession(values);
  const { name, taskId } = await taskOfRun(session, dir, runId, positionals[0]);
  const recording = await session.shop.client.replays.get_recording(taskId, runId);
  const fixture = `fixtures/run-${runId}.json`;
  const path = join(dir, fixture);
  for (const file of [dirname(path), path]) await refuseLinkOut(dir, file);
  const text = json(recording);
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before !== null && before !== text && !values.force) throw new Failure(`${path} is there and differs; --force overwrites it`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  say(`${path}: run ${runId} of ${name}, with ${recording.calls.length} ${recording.calls.length === 1 ? 'call' : 'calls'}`);
  const { test } = pathsOf(dir, name);
  const line = `test('does what run ${runId} did', () => replay('${fixture}'));`;
  if (await exists(test)) note(`Add to ${test}: import { replay } from 'backroom/testing'; ${line}`);
  else {
    await refuseLinkOut(dir, test);
    await writeFile(test, `import { test } from 'node:test';\nimport { replay } from 'backroom/testing';\n\n${line}\n`);
    say(`${test}: a test that replays it`);
  }
  note(`Next: backroom task test ${name}${dir === '.' ? '' : ` --dir ${dir}`}`);
  return 0;
}

/** The task of the folder that the run is of. */
async function taskOfRun({ server, shop }: Session, dir: string, runId: number, given: string | undefined) {
  const { data } = await shop.client.ai_tasks.list_all_runs({ run_id: runId });
  const [run] = data;
  if (!run) throw new UsageError(`the server has no run ${runId}`);
  const known = await recallTasks(dir, server);
  const names = given === undefined ? await taskNames(dir) : [given];
  for (const name of names) {
    const { name: title } = await loadMeta(dir, name);
    if (title === run.task_name || known.get(name)?.task_id === run.task_id) return { name, taskId: run.task_id };
  }
  throw new UsageError(
    `run ${runId} is of the task "${run.task_name}", and of none of these of the folder: ${names.join(', ') || '(there is none)'}`,
  );
}
