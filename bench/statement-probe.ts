import { subscribe } from 'node:diagnostics_channel';
import { aroundStatements, type How, NOTES_VARIABLE, writeNotes } from './probe.ts';

/**
 * Loaded before all else into a server whose statements are to be known (`--import`): writes a line for each request with the statements
 * that SQLite's connections of the main thread ran meanwhile. Statements of the server's loops may be among them.
 */

/** One statement: its text, the method of better-sqlite3 that ran it, and its values. */
export type Ran = { text: string; how: How; values: unknown[] };
export type Requested = { what: string; statements: Ran[] };

const FILE = process.env[NOTES_VARIABLE] ?? '';

let ran: Ran[] = [];

aroundStatements((statement, run) => {
  ran.push(statement);
  return run();
});

subscribe('http.server.request.start', () => {
  ran = [];
});
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: { method: string; url: string } };
  const requested: Requested = { what: `${request.method} ${request.url}`, statements: ran };
  writeNotes(FILE, [requested]);
});
