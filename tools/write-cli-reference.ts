import { writeFileSync } from 'node:fs';
import { cliReference } from './cli-reference.ts';

/** `npm run cli-reference`: writes `docs/cli.md`. */
writeFileSync(new URL('../docs/cli.md', import.meta.url), cliReference());
