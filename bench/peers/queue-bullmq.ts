import { addressOf, print, serve, work } from './queue-child.ts';
import { type Kind, nowMs } from './run-peer.ts';

type Job = { data: { kind: Kind }; log(line: string): Promise<unknown> };
type Options = { connection: { host: string; port: number }; concurrency?: number };
/** What is used of BullMQ. */
type BullMq = {
  Queue: new (name: string, options: Options) => { add(name: string, data: object): Promise<unknown> };
  Worker: new (
    name: string,
    handler: (job: Job) => Promise<unknown>,
    options: Options,
  ) => { on(event: 'completed', listener: () => void): void; waitUntilReady(): Promise<unknown> };
};

/** Child process of queues.ts. */
const [role, folder = '', port] = process.argv.slice(2);
const bullmq: BullMq = await import(addressOf(folder, 'bullmq'));
const connection = { host: '127.0.0.1', port: Number(port) };
if (role === 'client') {
  const queue = new bullmq.Queue('run', { connection });
  await serve((kind) => queue.add('run', { kind }));
} else {
  const handler = async (job: Job) => {
    if (job.data.kind === 'line') await job.log('first line');
    return 1;
  };
  const worker = new bullmq.Worker('run', handler, { connection, concurrency: 2 });
  worker.on('completed', () => print(nowMs()));
  await worker.waitUntilReady();
  await work();
}
