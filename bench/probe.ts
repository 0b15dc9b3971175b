import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What the probes share, which are loaded before all else into a process that the bench starts (`--import`). */

/** The variable with the file or folder to which a probe writes its notes. */
export const NOTES_VARIABLE = 'BACKROOM_BENCH_NOTES';

/** Writes each note as one line of JSON. */
export function writeNotes(file: string, notes: readonly unknown[]): void {
  if (notes.length > 0) appendFileSync(file, notes.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

export type How = 'run' | 'get' | 'all';

/** Calls `around` in the place of each statement that connections to SQLite of this thread run; `run` runs it. */
export function aroundStatements(around: (statement: { text: string; how: How; values: unknown[] }, run: () => unknown) => unknown): void {
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const memory = new Database(':memory:');
  const methods = Object.getPrototypeOf(memory.prepare('SELECT 1'));
  memory.close();
  for (const how of ['run', 'get', 'all'] as const) {
    const original = methods[how];
    methods[how] = function (this: { source: string }, ...values: unknown[]) {
      return around({ text: this.source, how, values }, () => original.apply(this, values));
    };
  }
}
