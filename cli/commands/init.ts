import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Command, parse, say } from '../command.ts';
import { Failure, UsageError } from '../failure.ts';
import { projectFiles } from '../project-files.ts';
import { exists } from '../task-files.ts';
import { createTask } from './task-new.ts';

const FIRST_TASK = 'count-orders';

export const init: Command = {
  name: 'init',
  usage: '[DIR]',
  about: 'makes a project of tasks: package.json, types, a task with its test, a CI workflow, AGENTS.md and a skill for agents',
  notes: ['DIR is the folder of the project (default: this one). No file that is there already is changed.'],
  example: 'npx backroom init my-tasks',
  async run(args) {
    const { positionals } = parse(args, {});
    const [folder = '.', ...more] = positionals;
    if (more.length > 0) throw new UsageError(`one DIR is accepted; ${positionals.length} were given: ${positionals.join(' ')}`);
    const files = projectFiles({ name: packageName(basename(resolve(folder))), version: ownVersion() });
    const tasks = join(folder, 'tasks');
    const taken = await presentOf([...Object.keys(files).map((path) => join(folder, path)), tasks]);
    if (taken.length > 0) throw new Failure(`${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} already there: nothing was written`);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
    }
    await createTask(tasks, FIRST_TASK, 'Count orders');
    say(`A project of tasks is in ${resolve(folder)}; its first task is tasks/${FIRST_TASK}.ts.`);
    const enter = folder === '.' ? '' : `cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder}'`} && `;
    say(`Next: ${enter}npm install && npm test, then npx backroom login and npm run push`);
    return 0;
  },
};

async function presentOf(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await exists(path)) ? [path] : [])));
  return found.flat();
}

/** A name that npm accepts, of the folder's. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' || name === 'backroom' ? 'shop-tasks' : name;
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
