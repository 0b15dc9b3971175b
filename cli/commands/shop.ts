import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, say } from '../command.ts';
import { passOn } from '../pass-on.ts';

/** Few young objects live long in a process that only watches others. */
const SMALL = ['--max-semi-space-size=1'];

const start: Command = {
  name: 'start',
  usage: '[--open]',
  about: 'starts your shop: the server and one runner; Ctrl-C ends both',
  options: [['--open', 'opens the console in the browser, signed in']],
  notes: [
    'The data are in ./data, or where DATA_DIR or DATABASE_URL says. PORT is the port (default 8787).',
    'Where the server or the runner dies, it is started again.',
  ],
  run: (args) => passOn('ops/start.ts', args, SMALL),
};

const demo: Command = {
  name: 'demo',
  usage: '[--open] [--once]',
  about: 'starts a shop with sample data that is removed at the end, and shows the run of a task',
  options: [
    ['--open', 'opens the console in the browser, signed in'],
    ['--once', 'ends after the run'],
  ],
  notes: ['It prints an address that signs in to the console once, within an hour, and an access token. Ctrl-C ends it.'],
  example: 'npx backroom demo --once',
  run: (args) => passOn('ops/demo.ts', args),
};

export const shopCommands: readonly Command[] = [start, demo];

/** `backroom` without a command: asks which shop to start where somebody can answer, else starts the demo. */
export async function startShop(): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return demo.run([]);
  const isKept = existsSync(join(process.env['DATA_DIR'] || 'data', 'backroom.db'));
  say(`Which shop do you want to start?

  1  a demo: 2,000 orders to look at and to try tasks on, removed at the end
  2  your own: ${isKept ? 'the one that is kept in this folder' : 'empty at first, and kept in this folder (./data)'}
`);
  const answer = await ask(isKept ? '2' : '1');
  if (answer === null) return 0;
  return answer === '1' ? demo.run(['--open']) : start.run(['--open']);
}

/** Resolves with the answer; null where the input ends before one. */
async function ask(usual: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    for (;;) {
      const typed = await Promise.race([lines.question(`1 or 2 [${usual}] `), closed]);
      if (typed === null) return null;
      const answer = typed.trim() || usual;
      if (answer === '1' || answer === '2') return answer;
    }
  } finally {
    lines.close();
  }
}
