import { inspect } from 'node:util';
import { ApiError, NotBackroom, Unreachable } from '../client/index.ts';
import { helpOf, note } from './command.ts';
import { commands } from './command-list.ts';
import { startShop } from './commands/shop.ts';
import { Failure, UsageError } from './failure.ts';

/** The program `backroom`: finds the command, runs it and prints its failure in one line. */

// The reader of the output has closed the pipe (`| head`), so the program ends.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // An unexpected error is printed with its stack.
  note(messageOf(error) ?? inspect(error));
  process.exitCode = error instanceof Failure ? error.exitCode : 1;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) return startShop();
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) return overview(args);
  const rest = args.slice(command.name.split(' ').length);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  return command.run(rest);
}

/** Answers `backroom --help` and `backroom task --help` with a list of commands; throws for an unknown command. */
function overview(args: readonly string[]): number {
  const [first = '', second = ''] = args.filter((word) => word !== '--help' && word !== '-h' && word !== 'help');
  const below = commands.filter(({ name }) => name.startsWith(`${first} `));
  const isAsked = first === '' || (below.length > 0 && second === '');
  if (!isAsked) {
    const names = (below.length > 0 ? below : commands).map(({ name }) => name).join(', ');
    const typed = below.length > 0 ? `${first} ${second}` : first;
    throw new UsageError(`"${typed}" is not a command; there are: ${names}`);
  }
  const shown = first === '' ? commands : below;
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, about }) => `  backroom ${name.padEnd(width)}  ${about}`);
  const text = `${lines.join('\n')}\n\nbackroom COMMAND --help shows the options of a command.\n`;
  // Without a request for help the command line is incomplete, which is an error.
  const isHelp = args.some((word) => word === '--help' || word === '-h' || word === 'help');
  (isHelp ? process.stdout : process.stderr).write(text);
  return isHelp ? 0 : 2;
}

/** Such as ` (ECONNREFUSED)`, of the failure that `fetch` gives as a cause. */
function causeOf({ cause }: Error): string {
  const why = cause instanceof Error ? cause.cause : undefined;
  return why instanceof Error && 'code' in why ? ` (${String(why.code)})` : '';
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof Failure) return error.message;
  if (error instanceof Unreachable) return `${error.message}${causeOf(error)}: is it running, and is --server its address?`;
  if (error instanceof NotBackroom) return `${error.message}: is --server the address of one?`;
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return 'the token is not accepted by the server (401 unauthorized): log in with another one ("backroom login")';
  const [first] = error.errors;
  const where = first?.pointer ?? first?.parameter;
  return first && !error.detail.includes(first.detail) ? `${error.message} ${where ? `${where}: ` : ''}${first.detail}` : error.message;
}
