import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Run } from '../../contract/runs.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { type Fate, type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { emptyQueue, field, makeTask, openRun } from '../helpers/runs.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { success } from '../helpers/waiting-runs.ts';

/** `go` waits until the test has seen that the run has no worker. */
const HELPERS = "const go = (key = 'go') => waitFor('signal:' + key);\n";

onBothStores('RU30: what a script says before and after it waits is logged once', (app) => {
  const tasks = () => app().client.ai_tasks;
  let runner: InProcessRunner | undefined;
  after(() => runner?.close());

  type Said = { run: Run; log: string[]; told: string[]; calls: number };
  type Options = { body?: object; fate?: Fate; seen?: (parked: Run) => void };

  /** Carries the script out, and ends each of its waits once the run has given its worker back. */
  async function carryOut(source: string, { body = {}, fate, seen }: Options = {}): Promise<Said> {
    runner ??= openInProcessRunner(app());
    await emptyQueue(app());
    const values = { source_code: HELPERS + source, permissions: ['admin_api.customers.write' as const] };
    const taskId = await makeTask(app(), values, { on_interrupt: 'resume', max_attempts: 100 });
    const { runId } = await openRun(app(), { priority: 1000, ...body }, taskId);
    let ended = false;
    const ending = async (): Promise<void> => {
      while (!ended) {
        const parked = await until('it waits or has ended', async () => {
          const run = await tasks().get_run(taskId, runId);
          return ended || run.status !== 'running' ? 'ended' : run.waiting_reason === 'signal' && run.claimed_by === null && run;
        });
        if (parked === 'ended') return;
        seen?.(parked);
        const [wait] = await tasks().list_waits(taskId, runId);
        const key = wait?.event?.slice('signal:'.length);
        if (key !== undefined) await tasks().signal_run(taskId, runId, { key, value: 1 });
      }
    };
    const [run] = await Promise.all([runner.finish(taskId, runId, fate).finally(() => (ended = true)), ending()]);
    success(run);
    const { lines } = await tasks().list_run_lines(taskId, runId, { limit: 500 });
    const own = lines.flatMap(({ event, source: from }) => (from === 'server' ? [] : [event]));
    const texts = (kind: string, name: string) => own.flatMap((event) => (event.kind === kind ? [String(field(event, name))] : []));
    return {
      run,
      log: texts('log', 'line'),
      told: [...texts('describe', 'description'), ...texts('progress', 'label')],
      calls: texts('admin_api', 'path').length,
    };
  }

  test('before the first checkpoint', async () => {
    const { log } = await carryOut(`log('a'); await go(); log('b'); log('b'); await Promise.all([go('x'), go('y')]); log('a');`);
    assert.deepEqual(log, ['a', 'b', 'b', 'a']);
  });

  test('descriptions, details and progress', async () => {
    const shown: (string | null)[] = [];
    const { run, told } = await carryOut(
      `describe('one'); progress(1, 9, 'first'); details('# one'); await go();
       describe('two'); describe('three'); progress(2, 9, 'second'); await go();
       await go(); describe('four');`,
      { seen: ({ description, progress }) => shown.push(description, progress?.label ?? null) },
    );
    assert.deepEqual(shown, ['one', 'first', 'three', 'second', 'three', 'second']);
    assert.equal(run.description, 'four');
    assert.deepEqual(new Set(told).size, told.length, told.join());
  });

  test('a wait after a checkpoint', async () => {
    const { log, calls, told } = await carryOut(
      `log('top'); describe('top');
       if (!last_checkpoint) { log('before'); await admin_api.get('/customers?limit=1'); await checkpoint({ n: 1 }); }
       log('after'); await admin_api.get('/customers?limit=2'); describe('waits'); await go(); log('end');
       await checkpoint({ n: 2 }); log('last');`,
    );
    assert.deepEqual(log, ['top', 'before', 'after', 'top', 'end', 'last'], 'it begins anew with another last_checkpoint');
    assert.equal(calls, 2);
    assert.equal(new Set(told).size, told.length, told.join());
  });

  test('a loop that stores a checkpoint before or after each wait, and says the same each time', async () => {
    const begin = `log('start'); let n = last_checkpoint?.n ?? 0; if (n > 0) log('goes on at', n);`;
    const before = await carryOut(
      `${begin} while (n < 3) { log('round'); await checkpoint({ n: ++n }); log('waits', n); await go(); log('came'); }`,
    );
    assert.deepEqual(before.log, [
      ...['start', 'round', 'waits 1', 'start', 'goes on at 1', 'round', 'waits 2', 'start', 'goes on at 2', 'round', 'waits 3'],
      ...['start', 'goes on at 3'],
    ]);
    const later = await carryOut(
      `${begin} while (n < 3) { log('round'); await go(); log('came'); await checkpoint({ n: ++n }); log('stored'); }`,
    );
    assert.deepEqual(later.log, [
      ...['start', 'round', 'came', 'stored', 'round'],
      ...['start', 'goes on at 1', 'came', 'stored', 'round'],
      ...['start', 'goes on at 2', 'came', 'stored'],
    ]);
  });

  test('timers that nobody awaits, and values of `once`', async () => {
    const { log } = await carryOut(
      `let ticks = 0; const timer = setInterval(() => { console.log('tick'); if (++ticks === 3) clearInterval(timer); }, 20);
       await once('made', () => { log('made'); return 1; });
       log('a'); await go(); log('b');
       await once('waits', async () => { log('asks'); await go('inner'); log('got'); return 1; });
       setTimeout(() => log('late'), 10); await go(); log('c');`,
    );
    assert.deepEqual(log.filter((line) => line === 'tick').length, 3);
    assert.deepEqual(
      log.filter((line) => line !== 'tick' && line !== 'late'),
      ['made', 'a', 'b', 'asks', 'got', 'c'],
    );
    assert.equal(log.filter((line) => line === 'late').length, 1);
  });

  test('killed anywhere, each attempt says what the ones before it have not, and its waits repeat nothing', async () => {
    const seed = chooseSeed();
    const random = seeded(seed);
    const { id } = await makeCustomer(app());
    let kills = 0;
    const fate: Fate = () => {
      if (kills === 4 || random.next() >= 0.15) return false;
      kills += 1;
      return true;
    };
    const { run, log } = await carryOut(
      `const note = (body) => admin_api.post('/customers/' + parameters.id + '/notes', { body });
       let n = last_checkpoint?.n ?? 0;
       for (; n < 4; await checkpoint({ n: ++n })) { log('in', n); await note('n' + n); await go(); log('out', n); await go(); }`,
      { body: { parameters: { id } }, fate },
    );
    const notes = await app().client.customers.list_notes(id);
    assert.equal(notes.length, 4);
    for (const line of new Set(log)) {
      const count = log.filter((one) => one === line).length;
      assert.ok(count <= run.attempt, `${line}: ${count} times in ${run.attempt} attempts, SEED=${seed}`);
    }
  });

  test('a recorded run logs its lines once, and its replay is identical', async () => {
    const { run, log } = await carryOut(
      `await once('x', () => log('x')); log('a'); await admin_api.get('/customers?limit=1'); await go(); log('b'); log('x'); await go(); log('c'); await checkpoint({ n: 1 }); log('d');`,
      { body: { record: true } },
    );
    assert.deepEqual(log, ['x', 'a', 'b', 'x', 'c', 'd']);
    const { run_id } = await app().client.replays.start(run.task_id, run.id, {});
    await runner?.finish(run.task_id, run_id);
    const report = await app().client.replays.get(run.task_id, run_id);
    assert.ok(report.identical, JSON.stringify(report));
    const recording = await app().client.replays.get_recording(run.task_id, run.id);
    assert.deepEqual(
      recording.attempts.map(({ said }) => said && [said.texts.length / 8, said.whole]),
      [undefined, undefined, [4, undefined]],
    );
  });

  test('a recorded run that is killed after its waits repeats what a new attempt says, and its replay is identical', async () => {
    const kills: number[] = [];
    const { run, log } = await carryOut(
      `log('a'); await go(); log('b'); await admin_api.get('/customers?limit=1'); log('c'); await go(); log('d');`,
      { body: { record: true }, fate: (message) => 'operation' in message && message.operation === 'admin_api' && kills.push(1) === 1 },
    );
    assert.deepEqual(log, ['a', 'b', 'a', 'b', 'c', 'd']);
    const { run_id } = await app().client.replays.start(run.task_id, run.id, {});
    await runner?.finish(run.task_id, run_id);
    const report = await app().client.replays.get(run.task_id, run_id);
    assert.ok(report.identical, JSON.stringify(report));
  });
});
