import { type Hook, type HookRepeats, hookRepeats, type SignatureInput } from '../../contract/hooks.ts';
import { type Command, exactly, note, parse, readId, SERVER_HELP, say } from '../command.ts';
import { readConfig } from '../config.ts';
import { UsageError } from '../failure.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';
import { readPairs } from './run-watch.ts';

const presets = ['github', 'stripe', 'shopify'] as const;

const hookCreate: Command = {
  name: 'hook create',
  usage: 'TASK_ID --name NAME [--parameter NAME] [--set KEY=VALUE]… [--verify PRESET] [--wait]',
  about: 'makes an address that another system calls to start a task, and prints it once',
  options: [
    ['--name NAME', 'says what the hook is for'],
    ['--parameter NAME', 'the parameter that gets what is sent: {headers, query, body}'],
    ['--set KEY=VALUE', 'a parameter that is the same in each run; may be given several times'],
    ['--verify PRESET', `a call must carry a signature: ${presets.join(', ')}; its secret is read from BACKROOM_HOOK_SECRET`],
    ['--repeat-by HEADER', 'the header by which a repeated call is known (default: its body, if it is signed)'],
    [
      '--repeats KIND',
      'once: a repeated call gets the run of the first one; each: every call opens a run (default: once with --verify or --repeat-by, else each)',
    ],
    ['--raw-body', 'the parameter also gets the text of the body, as raw_body'],
    ['--wait', 'a call waits up to 25 s for the end of its run and gets its result'],
    ['--rate N', 'calls a minute, 1 to 6000 (default 60)'],
    ...SERVER_HELP,
  ],
  notes: ['Only the address is written to standard output.'],
  example: "export STOCK_HOOK=$(npx backroom hook create 1 --name 'Stock report' --rate 10)",
  async run(args) {
    const { values, positionals } = parse(args, {
      ...serverOptions,
      name: { type: 'string' },
      parameter: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      verify: { type: 'string' },
      'repeat-by': { type: 'string' },
      repeats: { type: 'string' },
      'raw-body': { type: 'boolean', default: false },
      wait: { type: 'boolean', default: false },
      rate: { type: 'string' },
    });
    const [task = ''] = exactly(positionals, ['TASK_ID']);
    const { name, parameter = null, wait } = values;
    if (!name?.trim()) throw new UsageError('--name is missing: it says what the hook is for');
    const verify = values.verify === undefined ? null : readSignature(values.verify);
    const { server, shop } = await openSession(values);
    const made = await shop.client.ai_tasks.create_hook(readId('TASK_ID', task), {
      ...{ name, parameter, verify, wait, parameters: readPairs('--set', values.set) },
      idempotency_header: values['repeat-by'] ?? null,
      raw_body: values['raw-body'],
      ...(values.repeats === undefined ? {} : { repeats: readRepeats(values.repeats) }),
      ...(values.rate === undefined ? {} : { rate_per_minute: readId('--rate', values.rate) }),
    });
    return tell(server, made, 'is made');
  },
};

const hookList: Command = {
  name: 'hook list',
  usage: 'TASK_ID',
  about: 'lists the hooks of a task, without their addresses',
  options: SERVER_HELP,
  example: 'npx backroom hook list 1',
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    const [task = ''] = exactly(positionals, ['TASK_ID']);
    const { shop } = await openSession(values);
    for (const hook of await shop.client.ai_tasks.list_hooks(readId('TASK_ID', task))) {
      const { id, name, enabled, verify, last_error } = hook;
      const parts = [
        enabled ? 'on' : 'off',
        verify ? `signed (${verify.preset})` : 'not signed',
        ...(last_error === null ? [] : [last_error]),
      ];
      say(`${id}  ${oneLine(name)}  ${oneLine(parts.join(', '))}`);
    }
    return 0;
  },
};

const hookRotate: Command = {
  name: 'hook rotate',
  usage: 'TASK_ID HOOK_ID',
  about: 'gives a hook a new address and prints it once; the old one stops working',
  options: SERVER_HELP,
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    const [task = '', hook = ''] = exactly(positionals, ['TASK_ID', 'HOOK_ID']);
    const { server, shop } = await openSession(values);
    return tell(server, await shop.client.ai_tasks.rotate_hook(readId('TASK_ID', task), readId('HOOK_ID', hook)), 'has a new address');
  },
};

const hookDelete: Command = {
  name: 'hook delete',
  usage: 'TASK_ID HOOK_ID',
  about: 'removes a hook; its address stops working',
  options: SERVER_HELP,
  async run(args) {
    const { values, positionals } = parse(args, serverOptions);
    const [task = '', hook = ''] = exactly(positionals, ['TASK_ID', 'HOOK_ID']);
    const { shop } = await openSession(values);
    await shop.client.ai_tasks.delete_hook(readId('TASK_ID', task), readId('HOOK_ID', hook));
    note(`Hook ${hook} is deleted.`);
    return 0;
  },
};

export const hookCommands: readonly Command[] = [hookCreate, hookList, hookRotate, hookDelete];

function tell(server: string, { id, name, url_path }: Pick<Hook, 'id' | 'name'> & { url_path: string | null }, what: string): number {
  note(`Hook ${id} "${oneLine(name)}" ${what}; its address is shown once:`);
  say(`${server}${url_path ?? ''}`);
  return 0;
}

function readRepeats(text: string): HookRepeats {
  const repeats = hookRepeats.find((one) => one === text);
  if (!repeats) throw new UsageError(`--repeats ${text} is not known; accepted are: ${hookRepeats.join(', ')}`);
  return repeats;
}

/** The secret comes from the environment: other users of the machine can read the arguments of a program. */
function readSignature(text: string): SignatureInput {
  const preset = presets.find((one) => one === text);
  if (!preset) throw new UsageError(`--verify ${text} is not known; accepted are: ${presets.join(', ')}`);
  const secret = readConfig(process.env).hookSecret;
  if (!secret) throw new UsageError('BACKROOM_HOOK_SECRET is missing: it is the secret that the sender signs with');
  return { preset, secret };
}
