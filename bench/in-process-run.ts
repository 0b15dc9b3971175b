import { bundlePrelude } from '../runner/bundling.ts';
import { runScript, type Start } from '../runner/worker/bridge.ts';
import { makeSnapshot } from '../runner/worker/isolate.ts';

/**
 * Child process of in-process.ts: runs a script `runs` times, each in a fresh isolate of this process; prints for each run the
 * time to its first line and to its end.
 */
const [runs = '1', source = ''] = process.argv.slice(2);
const prelude = makeSnapshot(await bundlePrelude());
const start: Start = {
  type: 'start',
  source,
  code: null,
  task_id: 0,
  now_ms: 0,
  began_ms: 0,
  seed: '0'.repeat(64),
  secret_mark: '0'.repeat(39),
  parameters: '{}',
  checkpoint: 'null',
  shop: '{}',
  permissions: [],
  heap_mib: 128,
};
await runOnce();
const times: RunTimes[] = [];
for (let i = 0; i < Number(runs); i++) times.push(await runOnce());
process.stdout.write(`${JSON.stringify(times)}\n`);
process.exit();

type RunTimes = { firstLineMs: number; endMs: number };

function runOnce(): Promise<RunTimes> {
  const began = performance.now();
  let firstLineMs = 0;
  return new Promise((resolve) => {
    runScript(prelude, start, (message) => {
      if (message.type === 'call' && message.operation === 'log' && firstLineMs === 0) firstLineMs = performance.now() - began;
      if (message.type === 'done') resolve({ firstLineMs, endMs: performance.now() - began });
    });
  });
}
