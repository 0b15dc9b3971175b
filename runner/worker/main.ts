import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { readFrames, writeFrame } from '../frames.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';
import { type AnswerMessage, type Bridge, runScript, type Start } from './bridge.ts';
import { type EmptyIsolate, loadSnapshot, makeIsolate, type Prelude } from './isolate.ts';

/** V8 takes the default time zone of isolates from this variable; otherwise the environment is empty. */
process.env['TZ'] = 'UTC';

type Prepare = Extract<ToWorker, { type: 'prepare' }>;

const PIPE_FD = 3;
const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: true });
const [, , preludePath] = process.argv;
if (preludePath === undefined) throw new Error('the path of the built prelude is missing (runner/prelude.ts)');
const prelude = loadSnapshot(new Uint8Array(readFileSync(preludePath)).buffer);
let current: Bridge | undefined;
/** The isolate for the next run, where the runner has had it made. */
let next: EmptyIsolate | null = null;
await warmUp(prelude);

readFrames(pipe, receive, die);
// When the runner has died, nobody else ends this process, and a script in a busy loop would run on.
pipe.on('close', die);
pipe.on('error', die);
send({ type: 'ready' });

/** The worker trusts the runner, so the messages are not checked beyond their type. */
function receive(message: unknown): void {
  if (isStart(message)) {
    if (current || (next !== null && next.heapMib !== message.heap_mib)) die();
    const made = next;
    next = null;
    current = runScript(prelude, message, send, made);
  } else if (isPrepare(message)) prepare(message.heap_mib);
  else if (isAnswer(message)) current?.answer(message);
  else die();
}

function prepare(heapMib: number | null): void {
  if (current) return;
  next?.dispose();
  next = heapMib === null ? null : makeIsolate(prelude, heapMib);
}

function send(message: FromWorker): void {
  if (message.type === 'done') current = undefined;
  if (!pipe.destroyed) writeFrame(pipe, message);
}

/** Ends the process by SIGKILL: `process.exit` waits for isolates, and some cannot be stopped. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
  process.abort();
}

/** Runs a small script once, because the first run in a process is slow: V8 loads code for it. */
function warmUp(loaded: Prelude): Promise<void> {
  const code = '(async function () { "use strict"; log([1], Date.now()); return [async () => (await once("a", () => 1))]; })';
  return new Promise((resolve) => {
    const start: Start = {
      type: 'start',
      source: '',
      code,
      task_id: 0,
      now_ms: 0,
      began_ms: 0,
      seed: '0'.repeat(64),
      secret_mark: '0'.repeat(39),
      parameters: '{}',
      checkpoint: 'null',
      shop: '{}',
      permissions: [],
      heap_mib: 64,
    };
    const bridge: Bridge = runScript(loaded, start, (message) => {
      if (message.type === 'done') resolve();
      else if (message.type === 'call' && message.id > 0) {
        bridge.answer({ type: 'answer', id: message.id, value: '{"stored":true,"value":1}' });
      }
    });
  });
}

function isStart(message: unknown): message is Start {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'start';
}

function isPrepare(message: unknown): message is Prepare {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'prepare';
}

function isAnswer(message: unknown): message is AnswerMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'answer';
}
