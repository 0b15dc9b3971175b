import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './failure.ts';
import { print } from './screen.ts';

export type Command = {
  /** The words that are typed after `backroom`, such as `task push`. */
  name: string;
  /** The arguments that follow the name. */
  usage: string;
  /** One line for the list of commands. */
  about: string;
  /** What `--help` and the reference (`docs/cli.md`) say beside that: the options, in their order, and whole sentences. */
  options?: readonly Option[];
  notes?: readonly string[];
  /** Lines for the reference to show, which a test carries out in order, command after command, with a demo as the server. */
  example?: string;
  /** Resolves with the exit code. */
  run(args: readonly string[]): Promise<number>;
};

/** An option as it is typed, such as `--dir DIR`, and what it does. */
export type Option = readonly [typed: string, about: string];

export const folderOption = { dir: { type: 'string', default: '.' } } as const;

export const DIR_HELP: Option = ['--dir DIR', 'folder of the tasks (default: this one)'];
export const SERVER_HELP: readonly Option[] = [
  ['--server URL', 'address of the server (or SERVER_URL; default: of the login, else http://127.0.0.1:8787)'],
  ['--token TOKEN', 'an access token (or BACKROOM_TOKEN; default: of the login)'],
];

/** What `backroom COMMAND --help` prints. */
export function helpOf({ name, usage, about, options = [], notes = [] }: Command): string {
  const width = Math.max(0, ...options.map(([typed]) => typed.length));
  const lines = options.map(([typed, does]) => `  ${typed.padEnd(width)}  ${does}`);
  const parts = [`${`backroom ${name} ${usage}`.trimEnd()}\n  ${about}`, lines.join('\n'), notes.join('\n')];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Parses the arguments of a command; the error for an unknown option lists the accepted ones. */
export function parse<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
    const [problem = ''] = error.message.split(/(?<=')\. |\n/);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${problem.replace(/\.$/, '')}; accepted are ${[...names, '--help'].join(', ')}`);
  }
}

/** Returns the positional arguments; throws unless there is exactly one for each name. */
export function exactly(positionals: readonly string[], names: readonly string[]): string[] {
  if (positionals.length === names.length) return [...positionals];
  const given = positionals.length === 0 ? 'nothing was given' : `${positionals.length} were given: ${positionals.join(' ')}`;
  throw new UsageError(names.length === 0 ? `no argument is accepted; ${given}` : `${names.join(' and ')} must be given; ${given}`);
}

export function readId(name: string, text: string): number {
  const id = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${name} is "${text}": a whole number above 0 is expected`);
}

export function say(text: string): void {
  print(process.stdout, `${text}\n`);
}

/** Writes a hint or a warning to standard error, so that it does not mix with the output. */
export function note(text: string): void {
  print(process.stderr, `${text}\n`);
}
