import { Socket } from 'node:net';
import { readFrames, writeFrame } from '../../runner/frames.ts';
import { ToWorker } from '../../runner/protocol.ts';

/**
 * A worker without a sandbox. The source is the body of an async function, so a test can make the process behave in ways in which a
 * real worker never behaves.
 */
const pipe = new Socket({ fd: 3 });
pipe.on('close', () => process.exit(0));
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
const open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
let lastId = 0;

const call = (operation: string, payload: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lastId += 1;
    open.set(lastId, { resolve, reject });
    writeFrame(pipe, { type: 'call', id: lastId, operation, payload: JSON.stringify(payload) });
  });
const event = ({ kind, ...payload }: { kind: string }): void =>
  writeFrame(pipe, { type: 'call', id: 0, operation: kind, payload: JSON.stringify(payload) });

readFrames(
  pipe,
  (frame) => {
    const message = ToWorker.parse(frame);
    if (message.type === 'start') return void run(message);
    if (message.type === 'prepare') return;
    const waiting = open.get(message.id);
    const { error, value, now_ms, seed } = message;
    if (error) waiting?.reject(Object.assign(new Error(error.message), { name: error.name, ...error.fields }));
    else waiting?.resolve({ value: value === undefined ? undefined : JSON.parse(value), now_ms, seed });
  },
  () => process.exit(3),
);
writeFrame(pipe, { type: 'ready' });

async function run(start: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  const done = (rest: object): void =>
    writeFrame(pipe, { type: 'done', end_reason: 'completed', error_message: null, result: null, reusable: true, ...rest });
  try {
    const log = (line: string): void => writeFrame(pipe, { type: 'call', id: 0, operation: 'log', payload: JSON.stringify({ line }) });
    const result = await new AsyncFunction('call', 'event', 'log', 'pipe', 'start', start.source)(call, event, log, pipe, start);
    done({ result: result === undefined ? null : JSON.stringify(result) });
  } catch (error) {
    done({ end_reason: 'script_error', error_message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
}
