import { text } from 'node:stream/consumers';
import { makeSnapshot } from './isolate.ts';

/** Child process of runner/prelude.ts: reads the prelude's source and writes its snapshot. */
process.stdout.write(new Uint8Array(makeSnapshot(await text(process.stdin)).copy()));
