import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Tests make their state through the API. Only what the API cannot make comes from test/helpers/stored-rows. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that may write rows: the helpers, which say why the API cannot, and the tests of the database layer itself. */
const WRITERS = ['test/helpers/stored-rows/', 'test/db/'];

const EXCEPTIONS: Record<string, string> = {
  'test/contract/seen-answers.test.ts': 'has triggers of the database make false answers of true ones',
  'test/postgres/lost-connections.test.ts': 'ends the connection of a transaction that has changed something',
};

/** Files that run transactions on a server's store outside its requests, each with the reason why there is no other way. */
const TRANSACTIONS: Record<string, string> = {
  ...EXCEPTIONS,
  'test/api/http.test.ts': 'holds the writer with a transaction that writes nothing',
  'test/api/request-ids.test.ts': 'tells an event and queues a mail outside of any request, as a loop of the server does',
  'test/api/sign-in-mails.test.ts': 'holds the writer with a transaction that writes nothing',
  'test/postgres/crashed-database.test.ts': 'keeps the transaction open in which a claim gets its sign',
  'test/postgres/readiness.test.ts': 'holds connections with transactions that write nothing',
  'test/postgres/two-servers.test.ts': 'has triggers of the database refuse statements by chance',
  'test/api/decisions.test.ts': 'holds a switch of the policy open, as another server does, while a request decides',
  'test/runs/wait-ends.test.ts': 'holds a write open that ends a wait, as a request that stores an event does',
  'test/faults/label-purchase.test.ts': 'holds a lock on rows that it does not change',
  'test/mcp/notes.test.ts': 'refuses some writes of the log, as a busy store does, and passes the others on',
};

const STATEMENTS =
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\b(?:INSERT|REPLACE)\s+INTO\b|\bDELETE\s+FROM\b|\bUPDATE\s+[\w"${}.]+\s+SET\b/;
const TRANSACTION = /\bstore\.write\(/;

const files = globSync('test/**/*.ts', { cwd: root, exclude: ['test/{mcp,openapi}-tools/**', 'test/torture/**'] }).sort();
const mayWrite = (file: string): boolean => WRITERS.some((folder) => file.startsWith(folder));
const holding = (pattern: RegExp): string[] => files.filter((file) => pattern.test(readFileSync(`${root}/${file}`, 'utf8')));

test('no test writes a table except through the helpers that say why', () => {
  const found = holding(STATEMENTS);
  const helpers = files.filter((file) => file.startsWith('test/helpers/stored-rows/'));
  assert.ok(helpers.length > 0);
  assert.deepEqual(
    helpers.filter((file) => !found.includes(file)),
    [],
    'a helper there that writes no table is none of these',
  );
  assert.deepEqual(
    found.filter((file) => !mayWrite(file)),
    Object.keys(EXCEPTIONS),
  );
});

test('no test has a function of the server write into its store', () => {
  assert.deepEqual(
    holding(TRANSACTION).filter((file) => !mayWrite(file)),
    Object.keys(TRANSACTIONS).sort(),
  );
});
