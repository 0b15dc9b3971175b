import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { isTestFile } from './failed-files.ts';

/**
 * The reporter of `npm test`. It prints a line for each top-level test or suite that passed and each test that failed; at the
 * end the slowest files, the name, place, message and difference of every failed test, and the counts.
 */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const open: string[] = [];
  const failures: string[] = [];
  const counts: string[] = [];
  const took = new Map<string, number>();
  for await (const { type, data } of source) {
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && isTestFile(data.name))
      took.set(data.name, data.details.duration_ms);
    switch (type) {
      case 'test:start':
        open.splice(data.nesting, open.length, data.name);
        break;
      case 'test:pass':
        if (data.nesting === 0 && data.skip === undefined) yield `✔ ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`;
        break;
      case 'test:fail': {
        // A suite that fails only because of its tests is not printed; the tests say why.
        if (failureOf(data.details.error) === 'subtestsFailed' || data.todo !== undefined) break;
        const name = [...open.slice(0, data.nesting), data.name].join(' › ');
        yield `✖ ${name}\n`;
        failures.push(`✖ ${name}\n${indented(`${placeOf(data)}${textOf(data.details.error.cause ?? data.details.error)}`)}\n`);
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        yield data.message;
        break;
      case 'test:diagnostic':
        if (data.nesting === 0) counts.push(`ℹ ${data.message}\n`);
        break;
    }
  }
  yield slowest(took);
  if (failures.length > 0) yield `\nfailed tests:\n\n${failures.join('\n')}\n`;
  yield counts.join('');
}

/** How many of the slowest files are told. Where no more ran, the lines above tell enough. */
const SLOWEST = 10;

function slowest(took: ReadonlyMap<string, number>): string {
  if (took.size <= SLOWEST) return '';
  const first = [...took].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  return `\nthe slowest files:\n${first.map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}\n`).join('')}`;
}

function failureOf(error: object): unknown {
  return Reflect.get(error, 'failureType');
}

function placeOf({ file, line }: { file?: string; line?: number }): string {
  return file === undefined ? '' : `${relative(process.cwd(), file)}${line === undefined ? '' : `:${line}`}\n`;
}

const MOST_LINES = 80;

/** The error's message with the difference, and the stack without frames of Node and packages. */
function textOf(cause: unknown): string {
  const text = cause instanceof Error ? (cause.stack ?? String(cause)) : inspect(cause, { depth: 4 });
  const lines = `${text}${valuesOf(cause)}`.split('\n').filter((line) => !/^\s+at .*(node:|node_modules)/.test(line));
  const rest = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`… and ${rest} more lines`] : [])].join('\n');
}

/** The compared values, for an assertion with a message of its own: such a message does not contain them. */
function valuesOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || Reflect.get(cause, 'generatedMessage') !== false) return '';
  if (/^\s*\+ actual - expected|!==/m.test(String(Reflect.get(cause, 'message')))) return '';
  const [actual, expected] = ['actual', 'expected'].map((name) => inspect(Reflect.get(cause, name), { depth: 4 }));
  return `\nactual: ${actual}\nexpected: ${expected}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
