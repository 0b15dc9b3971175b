import { readFileSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { COMMON_PRAGMAS } from '../server/db/sqlite/sqlite-connection.ts';
import type { Ran } from './statement-probe.ts';

/**
 * Child process of request-path.ts: plain Koa with better-sqlite3 on a copy of the store, with the server's pragmas. Each request runs the
 * statements that the server was seen to run, which are prepared once, and answers the server's JSON.
 */
const [file = '', statementsFile = '', status = '200', text = ''] = process.argv.slice(2);
const database = new SqliteDatabase(file);
for (const pragma of [...COMMON_PRAGMAS, 'journal_mode = WAL', 'synchronous = NORMAL']) database.pragma(pragma);
const statements = (JSON.parse(readFileSync(statementsFile, 'utf8')) as Ran[]).map((ran) => ({
  ...ran,
  prepared: database.prepare(ran.text),
}));
const answer: unknown = JSON.parse(text);

const app = new Koa();
app.use(koaBody());
app.use((ctx) => {
  for (const { prepared, how, values } of statements) prepared[how](...values);
  ctx.status = Number(status);
  ctx.body = answer;
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`"http://127.0.0.1:${address.port}"\n`);
});
