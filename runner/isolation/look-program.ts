import { lookAt } from './layers.ts';

/** `node look-program.ts PID` prints what `lookAt` finds, as JSON. `look` starts this program as the user of a worker. */
process.stdout.write(JSON.stringify(lookAt(Number(process.argv[2]))));
