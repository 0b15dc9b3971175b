import { Json } from '../../contract/run-events.ts';
import { type Command, exactly, type Option, parse, readId, SERVER_HELP, say } from '../command.ts';
import { UsageError } from '../failure.ts';
import { openSession, serverOptions } from '../session.ts';

/** The commands `task state …`, which show and change what the runs of a task keep for later runs. */

const VERSION_HELP: Option = ['--if-version N', 'only if the value has this version (0: only if there is no value yet)'];
const versionOption = { 'if-version': { type: 'string' } } as const;

export const taskStateList: Command = {
  name: 'task state list',
  usage: 'TASK_ID [--prefix TEXT]',
  about: 'lists the keys of a task’s state, each with its version, its size and the time of its last change',
  options: [['--prefix TEXT', 'only keys that begin with this text'], ...SERVER_HELP],
  example: 'npx backroom task state list 1',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, prefix: { type: 'string' } });
    const [task = ''] = exactly(positionals, ['TASK_ID']);
    const id = readId('TASK_ID', task);
    const { shop } = await openSession(values);
    const rows = await shop.client.ai_tasks.list_state(id, values.prefix === undefined ? {} : { prefix: values.prefix });
    const width = Math.max(0, ...rows.map(({ key }) => key.length));
    for (const { key, version, size_bytes, updated_at, updated_by_run_id: run } of rows)
      say(`${key.padEnd(width)}  version ${version}, ${size_bytes} bytes, ${updated_at}, by ${run === null ? 'an admin' : `run ${run}`}`);
    return 0;
  },
};

export const taskStateGet: Command = {
  name: 'task state get',
  usage: 'TASK_ID KEY',
  about: 'prints a value of a task’s state as JSON',
  options: SERVER_HELP,
  example: 'npx backroom task state get 1 since',
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    const [task = '', key = ''] = exactly(positionals, ['TASK_ID', 'KEY']);
    const id = readId('TASK_ID', task);
    const { shop } = await openSession(values);
    say(JSON.stringify((await shop.client.ai_tasks.get_state(id, key)).value, null, 2));
    return 0;
  },
};

export const taskStateSet: Command = {
  name: 'task state set',
  usage: 'TASK_ID KEY JSON [--if-version N]',
  about: 'sets a value of a task’s state and prints its new version',
  options: [VERSION_HELP, ...SERVER_HELP],
  example: `npx backroom task state set 1 since '"2026-01-01"'`,
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...versionOption });
    const [task = '', key = '', text = ''] = exactly(positionals, ['TASK_ID', 'KEY', 'JSON']);
    const [id, value] = [readId('TASK_ID', task), readJson(text)];
    const { shop } = await openSession(values);
    const { version } = await shop.client.ai_tasks.set_state(id, key, { value, ...versionIn(values) });
    say(`version ${version}`);
    return 0;
  },
};

export const taskStateDelete: Command = {
  name: 'task state delete',
  usage: 'TASK_ID KEY [--if-version N]',
  about: 'deletes a value of a task’s state',
  options: [VERSION_HELP, ...SERVER_HELP],
  example: 'npx backroom task state delete 1 since',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...versionOption });
    const [task = '', key = ''] = exactly(positionals, ['TASK_ID', 'KEY']);
    const id = readId('TASK_ID', task);
    const { shop } = await openSession(values);
    await shop.client.ai_tasks.delete_state(id, key, versionIn(values));
    return 0;
  },
};

function readJson(text: string): Json {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`the value is not JSON: ${text.slice(0, 100)}; a text is written with quotes, as '"text"'`);
  }
}

function versionIn({ 'if-version': text }: { 'if-version'?: string | undefined }): { if_version?: number } {
  if (text === undefined) return {};
  return { if_version: text === '0' ? 0 : readId('--if-version', text) };
}
