import { coloursFor, type Output, oneLine, plain } from '../cli/screen.ts';

/** The log lines of server and runner for a person who watches them in a terminal. */

type LogFormat = 'json' | 'text';

/** LOG_FORMAT, or what fits the output: text in a terminal, else JSON. */
export function logFormatOf(given: string | undefined, output: Output): LogFormat | { problem: string } {
  if (!given) return output.isTTY === true ? 'text' : 'json';
  if (given === 'json' || given === 'text') return given;
  return { problem: `LOG_FORMAT is "${given}": expected json or text` };
}

const LEVELS: readonly (readonly [number, string])[] = [
  [60, 'fatal'],
  [50, 'error'],
  [40, 'warning'],
  [30, 'info'],
  [20, 'debug'],
];
const WARNING = 40;
/** What every line has, and no reader needs. */
const LEFT_OUT = new Set(['level', 'time', 'msg', 'name', 'part', 'pid', 'hostname']);

/** Prints what the parts write: lines of their log as text, only warnings and errors unless `all`; other lines as they are. */
export function printReadable(output: Output, all: boolean): (line: string) => void {
  const { bold, dim, red } = coloursFor(output);
  return (line) => {
    const entry = entryOf(line);
    if (entry === null) return void output.write(`${line}\n`);
    const level = Number(entry['level']);
    if (level < WARNING && !all) return;
    const name = LEVELS.find(([least]) => level >= least)?.[1] ?? 'trace';
    const shown = level > WARNING ? red(name) : name;
    const rest = Object.entries(entry).filter(([key, value]) => !LEFT_OUT.has(key) && key !== 'err' && value !== null);
    const details = rest.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
    const time = new Date(Number(entry['time'])).toTimeString().slice(0, 8);
    const message = oneLine(String(entry['msg'] ?? ''));
    output.write(
      `${dim(time)} ${entry['part'] ?? entry['name'] ?? ''} ${shown}: ${bold(message)} ${dim(oneLine(details))}`.trimEnd().concat('\n'),
    );
    const error = stackOf(entry['err']);
    if (error !== null) output.write(`${plain(error).replaceAll(/^/gm, '    ')}\n`);
  };
}

function entryOf(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{"level":')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function stackOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const text = Reflect.get(error, 'stack') ?? Reflect.get(error, 'message');
  return typeof text === 'string' ? text : null;
}
