import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Told, waitForProgress } from '../../server/automation/runs/log/followers.ts';
import { onBothStores } from '../helpers/app.ts';
import { openRun } from '../helpers/runs.ts';
import { servicesOf } from '../helpers/services.ts';

/** How streams wait for news of their runs. A wait that no news ends lasts longer than any test may. */
const LONG_MS = 3_600_000;
const START = { seq: 0, details: 0 };

onBothStores('followers of runs', (app) => {
  const open = () => openRun(app(), { executor: 'external' });

  test('what this server stores wakes the streams of that run alone, before any look', async () => {
    const services = await servicesOf(app().store);
    const ended = new AbortController();
    const [one, other] = [await open(), await open()];
    let isOtherAwake = false;
    const wait = (runId: number) => {
      const { signal } = services.runFollowers.follow(runId);
      return waitForProgress(services, { runId, told: { seq: 0, details: 0 }, signal, since: signal.count }, LONG_MS, ended.signal);
    };
    const [mine, others] = [wait(one.runId), wait(other.runId).then(() => (isOtherAwake = true))];
    services.runFollowers.fire(one.runId);
    await mine;
    assert.equal(isOtherAwake, false);
    ended.abort();
    await others;
  });

  test('what another server stores wakes the streams too: new lines, other details, and the end where lines do not matter', async () => {
    const services = await servicesOf(app().store);
    const [lines, details, end, quiet] = [await open(), await open(), await open(), await open()];
    const ended = new AbortController();
    let isQuietAwake = false;
    const wait = (runId: number, told: Told | null) => {
      const { signal } = services.runFollowers.follow(runId);
      return waitForProgress(services, { runId, told, signal, since: signal.count }, LONG_MS, ended.signal);
    };
    const woken = [wait(lines.runId, START), wait(details.runId, START), wait(end.runId, null)];
    const still = wait(quiet.runId, null).then(() => (isQuietAwake = true));
    const report = app().client.ai_tasks.append_run_events;
    await report(lines.taskId, lines.runId, { events: [{ kind: 'log', line: 'one' }] });
    await report(details.taskId, details.runId, { events: [{ kind: 'details', markdown: 'one' }] });
    await report(quiet.taskId, quiet.runId, { events: [{ kind: 'log', line: 'one' }] });
    await report(end.taskId, end.runId, { events: [{ kind: 'finalize', status: 'success' }] });
    await Promise.all(woken);
    assert.equal(isQuietAwake, false);
    ended.abort();
    await still;
  });
});
