import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { after, getTestContext } from 'node:test';
import pino from 'pino';
import { z } from 'zod';
import { connectShop, type RemoteShop } from '../cli/remote-shop.ts';
import { hashOf, loadTask, TEST } from '../cli/task-files.ts';
import { OutgoingMail } from '../contract/mails.ts';
import { NewNotification } from '../contract/notifications.ts';
import { JsonObject, type LoggedEvent } from '../contract/run-events.ts';
import { defaultLimits } from '../contract/runner.ts';
import type {
  EndedRun,
  openShop as OpenShop,
  replay as ReplayRun,
  RunOptions,
  SentRequest,
  Shop,
  ShopOptions,
  TaskDouble,
  TaskRun,
} from '../sandbox-lib/testing.ts';
import { readConfig } from '../server/config.ts';
import { startServer } from '../server/server.ts';
import type { Services } from '../server/services.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';
import { type DrivenRun, driveRun, followToEnd } from './driven-run.ts';
import { createHttpDouble } from './http-double.ts';
import { memoryFolder } from './memory-folder.ts';
import { startPart } from './processes.ts';
import { insertRecorded, selectReplayedCalls } from './recorded-rows.ts';
import { assertIdentical, readRecording } from './recorded-run.ts';
import { clockOf, shopNow, startClock } from './shop-clock.ts';

/** The implementation of `backroom/testing` in a test (task-kit-hooks.ts); sandbox-lib/testing.ts declares and documents it. */

const ROOM_BYTES = 256 * 1024 * 1024;

// A signal ends the process by `process.exit`, whose handlers end the runner and remove the store.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export const openShop: typeof OpenShop = async (options) => shopOf(await openParts(options));

/** Carries out the task's present source with the answers of a recorded run, in a shop of its own. */
export const replay: typeof ReplayRun = async (path) => {
  const { folder, task } = await testedTask('replay');
  const recording = await readRecording(resolve(folder, path), task.name);
  const { remote, services, died } = await openParts();
  const { client } = remote;
  const isSame = recording.task.source_sha256 === hashOf(task.source_code);
  const { taskId, versionId } = await createRecorded(client, task, isSame);
  const recordedRunId = await services.transact('ai_tasks.start_run', (ctx) => insertRecorded(ctx, { taskId, versionId }, recording));
  const {
    task: { current_version_id: now },
  } = await client.ai_tasks.get(taskId);
  const { run_id: runId } = await client.replays.start(taskId, recordedRunId, { version_id: now ?? versionId });
  const driven = await Promise.race([followToEnd(remote, { taskId, runId }), died]);
  const calls = await selectReplayedCalls(services.store.reader, runId);
  assertIdentical(recording, await client.replays.get(taskId, runId), { calls, events: driven.events });
  const { status, end_reason, result, error, log, results, progress, description, details, calls: told } = taskRunOf(driven, new Map());
  return { status, end_reason, result, error, log, results, progress, description, details, calls: told };
};

/** The task with the version that was recorded: the present one, or a stand-in for an earlier one, whose source is not known here. */
async function createRecorded({ ai_tasks }: RemoteShop['client'], task: Tested['task'], isSame: boolean) {
  const { name, description, settings, ...source } = { ...task, may_start: [] };
  const source_code = isSame ? source.source_code : 'export default () => null;\n';
  const { task_id: taskId } = await ai_tasks.create({ name, description, ...source, source_code });
  const {
    task: { current_version_id: versionId },
  } = await ai_tasks.get(taskId);
  if (versionId === null) throw new Error('the version of the owner of a new shop is approved');
  if (settings) await ai_tasks.update(taskId, { settings });
  if (!isSame) await ai_tasks.create_version(taskId, source);
  return { taskId, versionId };
}

async function openParts({ sample, settings, http = [], tasks = [] }: ShopOptions = {}): Promise<Parts> {
  const closing = new AsyncDisposableStack();
  // In a hook the context is that of the test or suite that the hook belongs to; `after` itself would treat the hook as a test.
  const context = getTestContext();
  const atEnd = context && 'after' in context ? context.after.bind(context) : after;
  atEnd(() => closing.disposeAsync());

  const folder = await mkdtemp(join(memoryFolder(ROOM_BYTES), 'backroom-task-test-'));
  const removeNow = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  closing.defer(async () => {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
  });

  const [token, runnerToken] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    BOOTSTRAP_ADMIN_TOKEN: token,
    RUNNER_TOKEN: runnerToken,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  });
  const outgoing = createHttpDouble(http);
  closing.defer(startClock());
  const made = Promise.withResolvers<Services>();
  const server = await startServer(config, pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true })), {
    outgoing,
    nowMs: shopNow,
    onServices: made.resolve,
  });
  closing.defer(() => server.close());
  const remote = connectShop(server.url, token);
  if (settings) await remote.client.settings.update(settings);
  if (sample) await fillSampleShop(server.store, { seed: 1, ...sample });

  const lines: string[] = [];
  const runner = startPart('runner', { SERVER_URL: server.url, RUNNER_TOKEN: runnerToken, LOG_LEVEL: 'error' }, (line) => lines.push(line));
  closing.defer(() => runner.stop());
  const died = runner.exited.then((code) => {
    throw new Error(`the runner ended with ${code ?? 'a signal'}:\n${lines.join('\n')}`);
  });
  died.catch(() => undefined);
  return { remote, folder, died, sent: outgoing.sent, doubles: tasks, services: await made.promise };
}

type Parts = {
  remote: RemoteShop;
  folder: string;
  died: Promise<never>;
  sent: SentRequest[];
  doubles: readonly TaskDouble[];
  services: Services;
};

function shopOf({ remote, folder, died, sent, doubles, services }: Parts): Shop {
  const { client } = remote;
  let pushed: Promise<Pushed> | undefined;
  let uploads = 0;
  let isLimited = false;
  const opening = new Set<Promise<unknown>>();
  function pushedTask(): Promise<Pushed> {
    pushed ??= pushTask(remote, doubles);
    return pushed;
  }
  async function runTask(
    parameters: JsonObject,
    { dryRun = false, answers = {}, limits, resume }: RunOptions,
    opened: () => void,
  ): Promise<TaskRun> {
    const { taskId, names } = await pushedTask();
    // The server keeps limits that are not named, so all are named here to reset earlier ones.
    if (limits || isLimited) await client.ai_tasks.update(taskId, { settings: { limits: { ...defaultLimits, ...limits } } });
    isLimited = limits !== undefined;
    const start = { parameters, dry_run: dryRun, ...(resume === undefined ? {} : { resume_run_id: resume }) };
    const before = sent.length;
    const driven = await Promise.race([driveRun(remote, taskId, start, { answers, meanwhile: async () => opened() }), died]);
    return { ...taskRunOf(driven, names), requests: sent.slice(before) };
  }
  const task = async (): Promise<number> => (await pushedTask()).taskId;
  return {
    admin: client,
    task,
    ...clockOf({ services, client, task, died, opened: () => Promise.all(opening) }),
    async runs() {
      const { taskId, names } = await pushedTask();
      const { data } = await client.ai_tasks.list_all_runs({ task_id: taskId, limit: 100 });
      const ended: EndedRun[] = [];
      for (const { id: runId, status } of data.toReversed()) {
        if (status === 'running') continue;
        ended.push(taskRunOf(await Promise.race([followToEnd(remote, { taskId, runId }), died]), names));
      }
      return ended;
    },
    async run(parameters = {}, options = {}) {
      const opened = Promise.withResolvers<void>();
      opening.add(opened.promise);
      try {
        return await runTask(parameters, options, opened.resolve);
      } finally {
        opened.resolve();
        opening.delete(opened.promise);
      }
    },
    async upload(name, content) {
      uploads += 1;
      const path = join(folder, `upload-${uploads}`);
      await writeFile(path, content);
      return remote.upload(path, name);
    },
  };
}

type Tested = Awaited<ReturnType<typeof testedTask>>;

/** The task whose test this process runs. */
async function testedTask(user: string) {
  const path = process.argv[1] ?? '';
  if (!path.endsWith(TEST))
    throw new Error(`${user} can be used only in a task's test NAME${TEST} that \`backroom task test\` runs; this is ${path}`);
  const { file: _file, pulled: _pulled, topic: _topic, ...task } = await loadTask(dirname(path), basename(path, TEST));
  return { folder: dirname(path), task };
}

/** `names`: those of the tasks that the task may start, by their ids. */
type Pushed = { taskId: number; names: ReadonlyMap<number, string> };

/** Creates the task of this test, and the doubles of tasks that it may start. The owner creates them, so their versions are approved. */
async function pushTask({ client }: RemoteShop, doubles: readonly TaskDouble[]): Promise<Pushed> {
  const { settings, ...task } = (await testedTask('openShop')).task;
  const names = new Map<number, string>();
  for (const { name, parameters = [], result = null, error } of doubles) {
    const act = error === undefined ? `return ${JSON.stringify(result)}` : `throw new Error(${JSON.stringify(error)})`;
    const source_code = `export default () => { ${act}; };\n`;
    const double = { name, description: 'A double', source_code, permissions: [], parameters: [...parameters] };
    names.set((await client.ai_tasks.create(double)).task_id, name);
  }
  // The ids in `may_start` are those of another shop's tasks.
  const { task_id: taskId } = await client.ai_tasks.create({ ...task, may_start: [...names.keys()] });
  if (settings) await client.ai_tasks.update(taskId, { settings });
  return { taskId, names };
}

function taskRunOf({ run, events, effects }: DrivenRun, names: Pushed['names']): EndedRun {
  const of = <Kind extends LoggedEvent['kind']>(kind: Kind) =>
    events.filter((event): event is Extract<LoggedEvent, { kind: Kind }> => event.kind === kind);
  return {
    id: run.id,
    task_id: run.task_id,
    status: run.status,
    end_reason: run.end_reason,
    result: run.result,
    error: run.error_message,
    log: of('log').map(({ line }) => line),
    results: of('result').map(({ status, item, details }) => ({ status, item, details })),
    progress: run.progress,
    description: run.description,
    details: run.details,
    calls: of('admin_api').map(({ method, path, status }) => ({ method, path, status })),
    started: effects.flatMap((effect) => (effect.path === '/task-runs' ? [startOf(effect, names)] : [])),
    notifications: effects.flatMap((effect) => (effect.path === '/notifications' ? [NewNotification.parse(madeOf(effect))] : [])),
    mails: effects.flatMap((effect) => (effect.path === '/mails' && effect.resource.id !== null ? [mailOf(effect)] : [])),
    effects,
  };
}

function mailOf(effect: DrivenRun['effects'][number]): TaskRun['mails'][number] {
  const { to, ...mail } = OutgoingMail.parse(madeOf(effect));
  return { ...mail, to: to[0] ?? '' };
}

function startOf(effect: DrivenRun['effects'][number], names: Pushed['names']): TaskRun['started'][number] {
  const { task_id, parameters } = Start.parse(madeOf(effect));
  return { name: names.get(task_id) ?? '', parameters };
}

const Start = z.object({ task_id: z.int(), parameters: JsonObject });

/** The values that an effect has made. */
function madeOf({ changes }: DrivenRun['effects'][number]): object {
  return Object.fromEntries(Object.entries(changes).map(([field, [, value]]) => [field, value]));
}
