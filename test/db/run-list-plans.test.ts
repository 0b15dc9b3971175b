import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countOpen as countOpenWaits, endLeft } from '../../server/automation/run-waits/store.ts';
import { countStatuses } from '../../server/automation/runs/views/list-store.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { claim, makeTask } from '../helpers/runs.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** The lists of all tasks: each filter walks an index in the order of the list, so that a page costs the same however many rows there are. */

let database: TestDatabase;
let app: TestApp;
let plans: Plans;
let seenBy: (work: () => Promise<unknown>) => Promise<string[]>;

before(async () => {
  database = await createDatabase('sqlite');
  const watch = watchStatements(database.url);
  app = await startApp('sqlite', { databaseUrl: database.url });
  seenBy = async (work) => {
    const from = watch.seen.length;
    await work();
    return [...new Set(watch.seen.slice(from))];
  };
  await app.client.ai_tasks.start_run(await makeTask(app));
  await claim(app);
  plans = openPlans(database.url);
});

after(async () => {
  plans.close();
  await app.close();
  await database.drop();
});

type Query = NonNullable<Parameters<TestApp['client']['ai_tasks']['list_all_runs']>[0]>;
const days = { from: '2026-01-01', to: '2026-02-01' };
const cursor = Buffer.from(JSON.stringify(['-started_at', '2026-01-01', 1, 2])).toString('base64url');

const expected: [name: string, query: Query, step: RegExp][] = [
  ['no filter', {}, /^SCAN runs USING COVERING INDEX runs_by_start$/],
  ['a cursor', { cursor }, /^SEARCH runs USING COVERING INDEX runs_by_start \(started_at<\?\)$/],
  ['days', days, /^SEARCH runs USING COVERING INDEX runs_by_start \(started_at>\? AND started_at<\?\)$/],
  ['one run', { run_id: 1 }, /^SEARCH runs USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
  ['a task', { task_id: 1, cursor }, /^SEARCH runs USING COVERING INDEX runs_by_task_start \(task_id=\? AND started_at<\?\)$/],
  ['a task and a status', { task_id: 1, status: 'failed' }, /^SEARCH runs USING COVERING INDEX runs_by_(task_start|status) /],
  [
    'a status',
    { status: 'failed', ...days },
    /^SEARCH runs USING COVERING INDEX runs_by_status \(status=\? AND started_at>\? AND started_at<\?\)$/,
  ],
  [
    'running runs',
    { status: 'running', ...days },
    /^SEARCH runs USING COVERING INDEX runs_running_by_start \(started_at>\? AND started_at<\?\)$/,
  ],
  [
    'a reason of the end',
    { end_reason: 'heap', ...days },
    /^SEARCH runs USING COVERING INDEX runs_by_end_reason \(end_reason=\? AND started_at>\? AND started_at<\?\)$/,
  ],
  [
    'what started them',
    { started_by: 'schedule:1', cursor },
    /^SEARCH runs USING COVERING INDEX runs_by_starter \(started_by=\? AND started_at<\?\)$/,
  ],
  ['a time', { since: '2026-01-01T00:00:00Z' }, /^SEARCH runs USING COVERING INDEX runs_by_start \(started_at>\?\)$/],
  ['dry runs', { dry_run: true, cursor }, /^SEARCH runs USING COVERING INDEX runs_dry \(/],
  ['no dry runs', { dry_run: false, ...days }, /^SEARCH runs USING COVERING INDEX runs_by_start \(started_at>\? AND started_at<\?\)$/],
  [
    'runs that wait for a person',
    { waiting_reason: 'prompt' },
    /^SEARCH run_prompts (EXISTS )?USING INDEX run_prompts_open \(asked_by_run_id=\?\)$/,
  ],
  ['runs that wait for a runner', { waiting_reason: 'runners_busy' }, /^SCAN runs USING INDEX runs_running$/],
  ['runs that wait for others', { waiting_reason: 'concurrency' }, /^SCAN runs USING INDEX runs_running$/],
];

for (const [name, query, step] of expected) {
  test(`runs of all tasks, ${name}: an index serves the filter and the order`, async () => {
    const found = (await seenBy(() => app.client.ai_tasks.list_all_runs(query))).filter((text) => /"started_at" as "value"/.test(text));
    assert.ok(found.length > 0, 'the statement was not seen');
    for (const text of found) {
      const steps = plans.planOf(text);
      const shown = `${plans.plain(text)}\n${steps.join('\n')}`;
      assert.ok(
        steps.some((one) => step.test(one)),
        shown,
      );
      assert.ok(!steps.some((one) => /^SCAN \w+$|TEMP B-TREE/.test(one)), shown);
      assert.ok(query.waiting_reason === undefined || /^SCAN runs USING INDEX runs_running_by_start$/.test(steps[0] ?? ''), shown);
    }
  });
}

type Errors = NonNullable<Parameters<TestApp['client']['ai_tasks']['list_errors']>[0]>;
const seenBefore = Buffer.from(JSON.stringify(['-last_seen_at', '2026-01-01', 1, 2])).toString('base64url');
const errors: [name: string, query: Errors, step: RegExp][] = [
  ['no filter', {}, /^SCAN task_errors USING COVERING INDEX task_errors_by_time$/],
  ['a cursor', { cursor: seenBefore }, /^SEARCH task_errors USING COVERING INDEX task_errors_by_time \(last_seen_at<\?\)$/],
  [
    'a task',
    { task_id: 1, cursor: seenBefore },
    /^SEARCH task_errors USING COVERING INDEX task_errors_by_task \(task_id=\? AND last_seen_at<\?\)$/,
  ],
  ['a state', { state: 'open' }, /^SEARCH task_errors USING COVERING INDEX task_errors_by_state \(state=\?\)$/],
  ['a number of a version', { task_id: 1, version: 2 }, /^SEARCH (c|task_error_counts) .*\(error_id=\?\)/],
  ['a version', { task_id: 1, version_id: 1 }, /^SEARCH (c|task_error_counts) .*(error_id=\? AND version_id=\?)/],
];

for (const [name, query, step] of errors) {
  test(`errors, ${name}: an index serves the filter and the order`, async () => {
    const found = (await seenBy(() => app.client.ai_tasks.list_errors(query))).filter((text) => /"last_seen_at" as "value"/.test(text));
    assert.ok(found.length > 0, 'the statement was not seen');
    for (const text of found) {
      const steps = plans.planOf(text);
      const shown = `${plans.plain(text)}\n${steps.join('\n')}`;
      assert.ok(
        steps.some((one) => step.test(one)),
        shown,
      );
      assert.ok(!steps.some((one) => /^SCAN \w+$|TEMP B-TREE/.test(one)), shown);
    }
  });
}

test('the list of tasks finds runs, times and pending versions of each task by an index', async () => {
  const [text = '', ...others] = (await seenBy(() => app.client.ai_tasks.list())).filter((one) => one.includes('AS last_run_id'));
  assert.deepEqual(others, []);
  const steps = plans.planOf(text);
  for (const step of [
    /^SEARCH runs USING COVERING INDEX runs_running \(task_id=\?\)$/,
    /^SEARCH schedules USING INDEX schedules_by_task \(task_id=\?\)$/,
    /^SEARCH task_versions USING (COVERING )?INDEX task_versions_pending \(task_id=\?\)$/,
  ])
    assert.ok(
      steps.some((one) => step.test(one)),
      steps.join('\n'),
    );
  assert.ok(!steps.some((one) => /^SCAN \w+$|TEMP B-TREE/.test(one)), steps.join('\n'));
});

test('the open waits of a run are found without those that have ended', async () => {
  const lineageId = 'none';
  const seen = await seenBy(async () => {
    await app.store.write(async (db) => {
      await countOpenWaits(db, lineageId);
      await endLeft(db, { lineageId, claimId: 1, epoch: 1, at: '' });
    });
  });
  const looks = seen.filter((text) => text.includes('run_prompts'));
  assert.equal(looks.length, 2, seen.join('\n'));
  for (const text of looks) assert.deepEqual(plans.planOf(text), ['SEARCH run_prompts USING INDEX run_prompts_waits (lineage_id=?)']);
});

test('the questions and versions that wait for a person are found by indexes in their order', async () => {
  const seen = await seenBy(async () => {
    await app.client.ai_tasks.list_open_prompts();
    await app.client.ai_tasks.list_pending_versions();
  });
  const stepsOf = (part: string): string[] => {
    const [text, ...others] = seen.filter((one) => one.includes(part));
    assert.ok(text !== undefined && others.length === 0, `${others.length} more statements with ${part}`);
    return plans.planOf(text);
  };
  assert.deepEqual(stepsOf('select "p".*'), [
    'SCAN run_prompts USING INDEX run_prompts_due',
    'SEARCH runs USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
  assert.deepEqual(stepsOf('AS current_permissions'), [
    'SCAN task_versions USING INDEX task_versions_waiting',
    // Of a version on which changes were requested alone: whether the caller did, and whether there is a newer one.
    'CORRELATED SCALAR SUBQUERY 3',
    'SEARCH version_approvals USING INDEX version_approvals_by_version (version_id=?)',
    'CORRELATED SCALAR SUBQUERY 4',
    'SEARCH task_versions USING COVERING INDEX sqlite_autoindex_task_versions_1 (task_id=? AND version>?)',
    'SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)',
    // Of a proposal alone: whether a run of the lineage that its first dry run began has ended well.
    'CORRELATED SCALAR SUBQUERY 2',
    'SEARCH runs USING INDEX runs_by_lineage (lineage_id=?)',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH runs USING INDEX runs_by_version (version_id=?)',
    'SEARCH task_versions USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH admins USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH version_approvals USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH admins USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
  ]);
});

test('runs are counted in an index, and never more than the newest of them', async () => {
  // The endpoint counts in a thread of its own, whose statements are not seen.
  const none = {
    status: undefined,
    endReason: undefined,
    startedBy: undefined,
    dryRun: undefined,
    from: null,
    before: null,
    waiting: undefined,
  };
  const { reader: db, dialect } = app.store;
  const count = (taskId: number | undefined) => () => countStatuses({ db, dialect }, { ...none, runId: undefined, taskId }, 5);
  for (const [taskId, step] of [
    [1, /^SEARCH runs USING COVERING INDEX runs_by_task_start \(task_id=\?\)$/],
    [undefined, /^SCAN runs USING COVERING INDEX runs_by_start$/],
  ] as const) {
    const [text = '', ...others] = (await seenBy(count(taskId))).filter((one) => one.includes('AS newest'));
    assert.deepEqual(others, []);
    assert.match(text, /order by "started_at" desc, "id" desc limit \S+\) AS newest/);
    const steps = plans.planOf(text);
    assert.ok(
      steps.some((one) => step.test(one)),
      steps.join('\n'),
    );
  }
});
