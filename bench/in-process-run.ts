import { bundlePrelude } from '../runner/prelude.ts';
import { runScript, type Start } from '../runner/worker/bridge.ts';
import { compilePrelude } from '../runner/worker/isolate.ts';

/** Child of first-line.ts: runs a script so many times in fresh isolates of this process; prints how long each took to its first line. */
const [runs = '1', source = ''] = process.argv.slice(2);
const prelude = compilePrelude(await bundlePrelude());
const start: Start = { type: 'start', source, now_ms: 0, seed: '0'.repeat(64), parameters: '{}', checkpoint: 'null', permissions: [], heap_mib: 128 };
await firstLineMs();
const times: number[] = [];
for (let i = 0; i < Number(runs); i++) times.push(await firstLineMs());
process.stdout.write(`${JSON.stringify(times)}\n`);
process.exit();

function firstLineMs(): Promise<number> {
  const began = performance.now();
  let took = Number.NaN;
  return new Promise((resolve) => {
    runScript(prelude, start, (message) => {
      if (message.type === 'call' && message.operation === 'event' && Number.isNaN(took)) took = performance.now() - began;
      if (message.type === 'done') resolve(took);
    });
  });
}
