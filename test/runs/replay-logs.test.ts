import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Permission } from '../../contract/permissions.ts';
import type { Replay } from '../../contract/replays.ts';
import { onBothStores } from '../helpers/app.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { makeTask } from '../helpers/runs.ts';

const PERMISSIONS: Permission[] = ['http_request', 'tasks_start'];

/** Which lines of two logs the report of a replay compares, and what it shows of them. */
onBothStores(
  'logs of replays',
  (app) => {
    let there: OtherSystem;
    let runner: InProcessRunner;
    before(async () => {
      there = await openOtherSystem();
      // The worker is given back at once while the script waits for another run.
      runner = openInProcessRunner(app(), { promptHoldMs: () => 0 });
    });
    after(async () => {
      await runner.close();
      await there.close();
    });

    const versionOf = (source: string, may_start: number[]) => ({
      source_code: source.replaceAll('$URL', `${there.origin}/v1`),
      permissions: PERMISSIONS,
      http_allow: [`GET,POST ${there.origin}/v1/*`],
      may_start,
    });
    type Recorded = { taskId: number; runId: number; child: number };
    /** Records a run that sends a request and waits for another run. */
    async function record(said: string): Promise<Recorded> {
      const child = await makeTask(app(), { source_code: 'export default () => 1;' });
      const taskId = await makeTask(app(), versionOf(sourceOf(child, said), [child]));
      const { run_id: runId } = await app().client.ai_tasks.start_run(taskId, { record: true });
      const run = await runner.finish(taskId, runId);
      assert.equal(run.status, 'success', run.error_message ?? '');
      return { taskId, runId, child };
    }
    const sourceOf = (child: number, said: string, path = 'a') => `export default async () => {
      await tasks.run(${child});
      log(${JSON.stringify(said)});
      await http.request({ method: 'POST', url: '$URL/${path}' });
      return 1;
    };`;
    async function replay({ taskId, runId, child }: Recorded, other?: { said: string; path?: string }): Promise<Replay> {
      const body = other && versionOf(sourceOf(child, other.said, other.path), [child]);
      const version = body && (await app().client.ai_tasks.create_version(taskId, { ...body, parameters: [] }));
      const { run_id } = await app().client.replays.start(taskId, runId, version && { version_id: version.version_id });
      await runner.finish(taskId, run_id);
      return app().client.replays.get(taskId, run_id);
    }
    const line = (text: string): string => JSON.stringify({ kind: 'log', line: text });
    const SAID = 'run 7 ended success';

    test('RP1: lines of the server are left out, and the lines of a script that read like them are compared', async () => {
      const recorded = await record(SAID);
      const { lines } = await app().client.ai_tasks.list_run_lines(recorded.taskId, recorded.runId);
      const said = lines.flatMap(({ event, source }) =>
        event.kind === 'log' ? [[source, event.line.replace(/\d+/, 'N').replace(/: .*/, '')]] : [],
      );
      assert.deepEqual(said.toSorted(), [
        ['run', 'run N ended success'],
        ['server', 'run N ended success'],
        ['server', 'waits for the end of run N'],
      ]);
      const same = await replay(recorded);
      assert.deepEqual([same.identical, same.log.first_difference], [true, null]);
      const { log } = await replay(recorded, { said: 'run 8 ended success' });
      assert.deepEqual(log, {
        identical: false,
        first_difference: { line: 1, recorded: line(SAID), replayed: line('run 8 ended success') },
      });
    });

    test('RP2: the first difference shows where a request went', async () => {
      const { log } = await replay(await record(SAID), { said: SAID, path: 'b' });
      const [was, is] = [log.first_difference?.recorded, log.first_difference?.replayed].map((text): unknown => JSON.parse(text ?? 'null'));
      const request = (path: string) => ({ method: 'POST', url: `${there.origin}/v1/${path}`, status: 200 });
      const sent = { kind: 'admin_api', method: 'POST', path: '/http/send', status: 200 };
      assert.deepEqual(
        [was, is],
        [
          { ...sent, request: request('a') },
          { ...sent, request: request('b') },
        ],
      );
    });
  },
  { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } },
);
