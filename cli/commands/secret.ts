import { type Command, exactly, type Option, parse, readId, SERVER_HELP, say } from '../command.ts';
import { Failure, UsageError } from '../failure.ts';
import { readHidden } from '../hidden-line.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

/** The commands `secret …`. A value is never an argument, because others on the machine can see arguments. */

const taskOption = { task: { type: 'string' } } as const;
const TASK_HELP: Option = ['--task ID', 'the secret of this task (default: of the shop)'];

export const secretSet: Command = {
  name: 'secret set',
  usage: 'NAME [--task ID] [--host HOST]… [--note TEXT]',
  about: 'stores a secret for the requests of tasks, or a new value of it; the value is asked for, or read from standard input',
  options: [
    TASK_HELP,
    ['--host HOST', 'where the server may send the secret: a host or host:port; may be given several times (a new secret needs one)'],
    ['--note TEXT', 'what the secret is for'],
    ...SERVER_HELP,
  ],
  example: "echo 'not a real key' | npx backroom secret set courier_key --host api.example.com --note 'Labels'",
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      ...taskOption,
      host: { type: 'string', multiple: true },
      note: { type: 'string' },
    });
    const [name = ''] = exactly(positionals, ['NAME']);
    const taskId = taskIn(values);
    const { shop } = await openSession(values);
    const known = await find(shop, name, taskId);
    if (!known && !values.host) throw new UsageError('--host is missing: a new secret needs a host to which the server may send it');
    const value = await readHidden(`Value of ${oneLine(name)}`);
    if (value === '') throw new UsageError('no value was given: type it, or pipe it in');
    const more = { ...(values.host ? { hosts: values.host } : {}), ...(values.note === undefined ? {} : { note: values.note }) };
    const stored = known
      ? await shop.client.task_secrets.update(known.id, { value, ...more })
      : await shop.client.task_secrets.create({ name, task_id: taskId, value, hosts: values.host ?? [], ...more });
    say(`${known ? 'Set anew' : 'Stored'}: ${rowOf(stored)}`);
    return 0;
  },
};

export const secretList: Command = {
  name: 'secret list',
  usage: '[--task ID]',
  about: 'lists the secrets of the shop and of its tasks, without their values',
  options: [['--task ID', 'the secrets of this task (default: all secrets)'], ...SERVER_HELP],
  example: 'npx backroom secret list',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...taskOption });
    exactly(positionals, []);
    const taskId = taskIn(values);
    const { shop } = await openSession(values);
    for (const secret of await shop.client.task_secrets.list(taskId === null ? {} : { task_id: taskId })) say(rowOf(secret));
    return 0;
  },
};

export const secretDelete: Command = {
  name: 'secret delete',
  usage: 'NAME [--task ID]',
  about: 'deletes a secret; runs that need it are refused from then on',
  options: [TASK_HELP, ...SERVER_HELP],
  example: 'npx backroom secret delete courier_key',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...taskOption });
    const [name = ''] = exactly(positionals, ['NAME']);
    const taskId = taskIn(values);
    const { shop } = await openSession(values);
    const known = await find(shop, name, taskId);
    if (!known) throw new Failure(`there is no secret "${oneLine(name)}" of ${taskId === null ? 'the shop' : `task ${taskId}`}`);
    await shop.client.task_secrets.delete(known.id);
    return 0;
  },
};

type Secret = Awaited<ReturnType<RemoteShop['client']['task_secrets']['list']>>[number];

async function find(shop: RemoteShop, name: string, taskId: number | null): Promise<Secret | undefined> {
  return (await shop.client.task_secrets.list()).find((one) => one.name === name && one.task_id === taskId);
}

function taskIn({ task }: { task?: string | undefined }): number | null {
  return task === undefined ? null : readId('--task', task);
}

function rowOf({ name, task_id, hosts, note, last_used_at }: Secret): string {
  const parts = [
    `${task_id === null ? 'shop' : `task ${task_id}`}`,
    `for ${hosts.join(', ')}`,
    last_used_at ? `used ${last_used_at}` : 'never used',
  ];
  return `${name}  ${parts.join(', ')}${note === '' ? '' : `: ${oneLine(note)}`}`;
}
