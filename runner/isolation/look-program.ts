import { lookAt } from './layers.ts';

/** `node look-program.ts PID`: what `look` starts as the user of a worker. */
process.stdout.write(JSON.stringify(lookAt(Number(process.argv[2]))));
