import { stopBundling } from '../runner/bundling.ts';
import { chooseIsolation } from '../runner/isolation/choose.ts';
import { LAYERS, layerMeanings } from '../runner/isolation/layers.ts';
import { preludeFile } from '../runner/prelude.ts';

/** `backroom doctor`: starts a worker, shows which layers of the sandbox it has and how to get the others. */

const { layers, missing, worker } = await chooseIsolation({ preludePath: await preludeFile() });
worker?.kill();
await stopBundling();
process.stdout.write("The sandbox's layers on this machine, as seen on a worker process:\n\n");
for (const layer of LAYERS) {
  process.stdout.write(`  ${layers.includes(layer) ? 'active ' : 'MISSING'}  ${layer.padEnd(13)} ${layerMeanings[layer]}\n`);
}
if (missing.length > 0) process.stdout.write('\nMissing:\n');
for (const { layer, why, remedy } of missing) process.stdout.write(`\n  ${layer}\n    why:        ${why}\n    to have it: ${remedy}\n`);
process.stdout.write(
  missing.length === 0
    ? '\nAll are active.\n'
    : '\nScripts run without these layers; the isolate and the other layers still confine them.\n',
);
