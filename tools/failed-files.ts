import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/**
 * A reporter that prints what failed, one a line: the name of a test file, as `test-group.ts` names its suite, or of a test process
 * (`group-01.mjs`) that ended with an error of no file. Files that passed are printed behind `passed `.
 */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let suite = '';
  const failed = new Set<string>();
  for await (const { type, data } of source) {
    if (type === 'test:start' && data.nesting === 0) suite = data.name;
    if (type === 'test:pass' && data.nesting === 0 && isTestFile(data.name)) yield `passed ${data.name}\n`;
    if (type === 'test:stderr') for (const [, name = ''] of data.message.matchAll(/^✖ while (\S+) ran: /gm)) failed.add(name);
    if (type !== 'test:fail' || data.todo !== undefined) continue;
    // The tests of a file with a top-level `await` belong to no suite.
    if (isTestFile(suite)) failed.add(suite);
    else failed.add(data.file === undefined || data.name.endsWith('.mjs') ? data.name : relative(process.cwd(), data.file));
  }
  for (const name of failed) yield `${name}\n`;
}

/** Whether a top-level suite is a test file, as `test-group.ts` names it. */
export function isTestFile(name: string): boolean {
  return name.endsWith('.test.ts');
}

/**
 * The files that must be run again, by what the reporter printed: those that failed, and those that did not come to their end. Null if
 * a process failed for a reason that is no file's, so that no file's run would say anything about it.
 */
export function failedFiles(report: string, groups: readonly { entry: string; files: readonly string[] }[]): readonly string[] | null {
  const lines = new Set(report.split('\n'));
  const found: string[] = [];
  for (const { entry, files } of groups) {
    const failed = files.filter((name) => lines.has(name) || !lines.has(`passed ${name}`));
    if (failed.length === 0 && lines.has(entry)) return null;
    found.push(...failed);
  }
  return found;
}
