import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import { OWNED } from '../server/http/console.ts';

/** The console of `npm run dev`: Vite serves its sources and passes on to the server what is not the console's. */

const { values } = parseArgs({ options: { server: { type: 'string', default: '' }, port: { type: 'string', default: '5173' } } });

const SERVER_PATHS = `^/(${[...OWNED].map((segment) => segment.replaceAll('.', '\\.')).join('|')})([/?]|$)`;

const vite = await createServer({
  configFile: fileURLToPath(new URL('../console/vite.config.ts', import.meta.url)),
  configLoader: 'native',
  clearScreen: false,
  logLevel: 'warn',
  server: { host: '127.0.0.1', port: Number(values.port), proxy: { [SERVER_PATHS]: { target: values.server } } },
});
await vite.listen();
process.stdout.write(`${vite.resolvedUrls?.local[0] ?? ''}\n`);
