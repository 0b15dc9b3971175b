import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import { selectCounted, selectWaits } from '../../server/automation/runs/health/store.ts';
import { selectStuck } from '../../server/automation/runs/life/stuck-store.ts';
import { selectSaying } from '../../server/automation/runs/log/search-store.ts';
import { type RunFilter, selectCandidates, selectRunKeys } from '../../server/automation/runs/views/list-store.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type At, openStore, readsOf } from '../../server/db/open.ts';
import { openPlans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, engines, stopPostgres, type TestDatabase } from '../helpers/stores.ts';

/** The list of all runs walks one index in its order on both engines, and a search in logs reads each log by its key. */

after(stopPostgres);

const everything: RunFilter = {
  runId: undefined,
  taskId: undefined,
  status: undefined,
  endReason: undefined,
  startedBy: undefined,
  dryRun: undefined,
  from: null,
  before: null,
  waiting: undefined,
};
const place = { value: '2026-01-01T00:00:00.000Z', id: 9 };
const reading = { sort: '-started_at', column: { name: 'started_at', type: 'text' }, descending: true, page: 1, perPage: 50 } as const;

/** `index`: which one serves the filter and the order. */
const lists: [name: string, filter: Partial<RunFilter>, index: RegExp][] = [
  ['no filter', {}, /\bruns_by_start\b/],
  ['days', { from: place.value, before: '2026-02-01T00:00:00.000Z' }, /\bruns_by_start\b/],
  ['a task', { taskId: 1 }, /\bruns_by_task_start\b/],
  ['a status', { status: 'failed' }, /\bruns_by_status\b/],
  ['running runs', { status: 'running' }, /\bruns_running_by_start\b/],
  ['a reason of the end', { endReason: 'heap' }, /\bruns_by_end_reason\b/],
  ['what started them', { startedBy: 'schedule:1' }, /\bruns_by_starter\b/],
  ['dry runs', { dryRun: true }, /\bruns_dry\b/],
];

const explain = { sqlite: plansOfSqlite, postgres: plansOfPostgres };
const sorts = { sqlite: /TEMP B-TREE|SCAN runs(?! USING)/, postgres: /Sort|Seq Scan/ };

for (const engine of engines) {
  test(`a page of all runs, and the runs whose logs a search reads, come from one index in the order of the list [${engine}]`, async () => {
    await using database = await made(engine);
    for (const [name, filter, index] of lists) {
      for (const after of [null, place]) {
        const all = { ...everything, ...filter };
        const works = [(at: At) => selectRunKeys(at, all, { ...reading, after }), (at: At) => selectCandidates(at, all, after, 2001)];
        for (const work of works) {
          const plans = await explain[engine](database, work);
          assert.equal(plans.length, 1);
          const told = `${name}, ${after ? 'later' : 'first'} page: ${plans[0]}`;
          assert.match(plans[0] ?? '', index, told);
          assert.doesNotMatch(plans[0] ?? '', sorts[engine], told);
        }
      }
    }
  });

  test(`the health of a task is counted from indexes that have all of it, in their order [${engine}]`, async () => {
    await using database = await made(engine);
    const days = { taskId: 1, from: '2026-01-01' };
    for (const [index, select] of [
      ['run_figures_took', selectCounted],
      ['run_figures_waited', selectWaits],
    ] as const) {
      const [plan = '', ...others] = await explain[engine](database, ({ db }) => select(db, days));
      assert.deepEqual(others, []);
      assert.match(plan, { sqlite: new RegExp(`USING COVERING INDEX ${index} `), postgres: new RegExp(`${index}\\b`) }[engine], plan);
      assert.doesNotMatch(plan, /TEMP B-TREE|SCAN run_figures|Seq Scan/, plan);
    }
  });

  test(`a search reads the log of each run by its key, and stops at the first message that it looks for [${engine}]`, async () => {
    await using database = await made(engine);
    const [plan = '', ...others] = await explain[engine](database, (at) => selectSaying(at, [1, 2, 3], 'lost'));
    assert.deepEqual(others, []);
    const byKey = {
      sqlite: /CORRELATED SCALAR SUBQUERY \d+\nSEARCH run_events USING (INDEX sqlite_autoindex_run_events_1|PRIMARY KEY) \(run_id=\?\)/,
      postgres:
        /SubPlan \d+\n\s+->\s+Limit.*\n\s+->\s+Index Scan using run_events_\w+ on run_events e.*\n\s+Index Cond: \(run_id = r\.id\)/,
    };
    assert.match(plan, byKey[engine]);
    assert.doesNotMatch(plan, /Seq Scan|SCAN run/);
  });

  test(`the search for runs that may be stuck reads the open runs of the tasks that are watched [${engine}]`, async () => {
    await using database = await made(engine);
    const [plan = '', ...others] = await explain[engine](database, (at) => selectStuck(at, 100));
    assert.deepEqual(others, []);
    assert.match(plan, /\bruns_running/);
    assert.match(plan, /\btasks_watched\b/);
    assert.doesNotMatch(plan, /Seq Scan|SCAN (runs|lineages|tasks|run_prompts)(?! USING)/);
  });
}

async function made(engine: (typeof engines)[number]): Promise<TestDatabase & AsyncDisposable> {
  const database = await createDatabase(engine);
  const store = openStore({ url: database.url });
  await migrate(store).finally(() => store.close());
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.drop() });
}

type Work = (at: At) => Promise<unknown>;

async function withStore(database: TestDatabase, work: Work): Promise<void> {
  const store = openStore({ url: database.url });
  await work(readsOf(store)).finally(() => store.close());
}

async function plansOfSqlite(database: TestDatabase, work: Work): Promise<string[]> {
  const watch = watchStatements(database.url);
  const plans = openPlans(database.url);
  try {
    await withStore(database, async (at) => {
      watch.seen.length = 0;
      await work(at);
    });
    return [...watch.seen].map((text) => plans.planOf(text).join('\n'));
  } finally {
    watch.stop();
    plans.close();
  }
}

async function plansOfPostgres(database: TestDatabase, work: Work): Promise<string[]> {
  const seen: { text: string; values: unknown[] }[] = [];
  const query = pg.Client.prototype.query;
  await withStore(database, async (at) => {
    const watched = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, text: string, values: unknown[]) {
      seen.push({ text, values });
      const answer: unknown = Reflect.apply(query, this, [text, values]);
      return answer;
    });
    await work(at).finally(() => watched.mock.restore());
  });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // In an empty table, reading it whole and sorting cost nothing.
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
    const plans: string[] = [];
    for (const { text, values } of seen) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  } finally {
    await client.end();
  }
}
