import { runInBareIsolate } from './bare-isolate.ts';
import { addressOf, INSERT_LINE, print, serve, work } from './queue-child.ts';
import { type Kind, nowMs } from './run-peer.ts';

/** What is used of graphile-worker. */
type Task = (payload: { kind: Kind }, helpers: { query(text: string, values: unknown[]): Promise<unknown> }) => Promise<void>;
type Options = { connectionString: string; logger: object; maxPoolSize?: number };
type GraphileWorker = {
  Logger: new (factory: () => () => void) => object;
  run(
    options: Options & { concurrency: number; noHandleSignals: boolean; taskList: Record<string, Task> },
  ): Promise<{ events: { on(event: 'job:complete', listener: () => void): void } }>;
  makeWorkerUtils(options: Options): Promise<{ addJob(name: string, payload: object): Promise<unknown> }>;
};

/** Child process of queues.ts. `code`: a job calls a function of this process, or runs a script in a new isolate. */
const [role, folder = '', url = '', code] = process.argv.slice(2);
const graphile: GraphileWorker = await import(addressOf(folder, 'graphile-worker'));
const options = { connectionString: url, logger: new graphile.Logger(() => () => {}) };

const runFunction: Task = async ({ kind }, { query }) => {
  if (kind === 'line') await query(INSERT_LINE, ['first line']);
};
const runIsolate: Task = async ({ kind }, { query }) => {
  const lines: string[] = [];
  runInBareIsolate(kind, (line) => lines.push(line));
  for (const line of lines) await query(INSERT_LINE, [line]);
};

if (role === 'client') {
  const utils = await graphile.makeWorkerUtils({ ...options, maxPoolSize: 8 });
  await serve((kind) => utils.addJob('run', { kind }));
} else {
  const run = code === 'isolate' ? runIsolate : runFunction;
  const runner = await graphile.run({ ...options, concurrency: 2, noHandleSignals: true, taskList: { run } });
  runner.events.on('job:complete', () => print(nowMs()));
  await work();
}
