import { readFile, writeFile } from 'node:fs/promises';
import { noGrants } from '../../contract/grants.ts';
import { type Command, DIR_HELP, exactly, folderOption, parse, say } from '../command.ts';
import { Failure } from '../failure.ts';
import { checkFileName, EXAMPLES, exists, type LocalTask, loadTask, pathsOf, saveTask } from '../task-files.ts';

export const taskNew: Command = {
  name: 'task new',
  usage: 'NAME [--from EXAMPLE] [--title TITLE] [--dir DIR]',
  about: 'writes the files of a new task: source, permissions and parameters, test, types for the editor',
  options: [
    ['--from EXAMPLE', 'copies one of the tasks that come with the program, with its test: low-stock-report, tag-large-orders, …'],
    ['--title TITLE', "the task's name on the server (default: made from NAME)"],
    DIR_HELP,
  ],
  example: 'npx backroom task new pending-orders\nnpx backroom task new low-stock --from low-stock-report',
  async run(args) {
    const { values, positionals } = parse(args, { ...folderOption, from: { type: 'string' }, title: { type: 'string' } });
    const [file = ''] = exactly(positionals, ['NAME']);
    checkFileName(file);
    const title = values.title ?? file.replaceAll(/[-_]+/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
    const { meta, source, test, testCode } = await createTask(values.dir, file, title, values.from);
    say(`${source}, its permissions and parameters in ${meta}${testCode === null ? '' : `, its test in ${test}`}`);
    const where = values.dir === '.' ? '' : ` --dir ${values.dir}`;
    const first = testCode === null ? `backroom task run ${file}${where} --dry-run` : `backroom task test ${file}${where}`;
    say(`Next: ${first}, then backroom task run ${file}${where}`);
    return 0;
  },
};

/** Writes the files of a task, of which none is there yet. */
export async function createTask(dir: string, file: string, title: string, from?: string) {
  const paths = pathsOf(dir, file);
  for (const path of Object.values(paths)) if (await exists(path)) throw new Failure(`${path} is already there`);
  const { task, testCode } = from === undefined ? emptyTask(file, title) : await copyOf(from, file, title);
  await saveTask(dir, task);
  if (testCode !== null) await writeFile(paths.test, testCode);
  return { ...paths, testCode };
}

type NewTask = { task: LocalTask; testCode: string | null };

function emptyTask(file: string, title: string): NewTask {
  const declared = { permissions: ['admin_api.orders.read'], parameters: [], ...noGrants };
  return { task: { file, name: title, description: '', ...declared, source_code: template(file, title) }, testCode: testTemplate() };
}

async function copyOf(example: string, file: string, title: string): Promise<NewTask> {
  const { pulled: _pulled, topic: _topic, source_code, ...task } = await loadTask(EXAMPLES, example);
  const { test } = pathsOf(EXAMPLES, example);
  const source = source_code.replace(`./${example}.permissions.ts`, `./${file}.permissions.ts`);
  return {
    task: { ...task, file, name: title, source_code: source },
    testCode: (await exists(test)) ? await readFile(test, 'utf8') : null,
  };
}

function template(file: string, title: string): string {
  return `import { log } from 'backroom';
import type { Script } from './${file}.permissions.ts';

declare const admin: Script['admin'];

/** ${title.replaceAll('*/', '')} */
export default async function main() {
  const { total } = await admin.orders.list({ per_page: 1 });
  log(\`\${total} orders\`);
  return { orders: total };
}
`;
}

function testTemplate(): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('counts the orders', async () => {
  const shop = await openShop();
  const { status, error, result } = await shop.run();
  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(result, { orders: 0 });
});
`;
}
