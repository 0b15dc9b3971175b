import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Loaded before all else into a server whose statements are to be known (`--import`): writes a line for each request with the statements
 * that SQLite's connections of the main thread ran meanwhile. Statements of the server's loops may be among them.
 */

/** One statement: its text, the method of better-sqlite3 that ran it, and its values. */
export type Ran = { text: string; how: 'run' | 'get' | 'all'; values: unknown[] };
export type Requested = { what: string; statements: Ran[] };

const FILE = process.env['BACKROOM_STATEMENTS'] ?? '';

let ran: Ran[] = [];

const Database = createRequire(import.meta.url)('better-sqlite3');
const memory = new Database(':memory:');
const methods = Object.getPrototypeOf(memory.prepare('SELECT 1'));
memory.close();
for (const how of ['run', 'get', 'all'] as const) {
  const original = methods[how];
  methods[how] = function (this: { source: string }, ...values: unknown[]) {
    ran.push({ text: this.source, how, values });
    return original.apply(this, values);
  };
}

subscribe('http.server.request.start', () => {
  ran = [];
});
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: { method: string; url: string } };
  const requested: Requested = { what: `${request.method} ${request.url}`, statements: ran };
  appendFileSync(FILE, `${JSON.stringify(requested)}\n`);
});
