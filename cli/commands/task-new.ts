import { writeFile } from 'node:fs/promises';
import { noGrants } from '../../contract/grants.ts';
import { type Command, DIR_HELP, exactly, folderOption, parse, say } from '../command.ts';
import { Failure } from '../failure.ts';
import { checkFileName, exists, pathsOf, saveTask } from '../task-files.ts';

export const taskNew: Command = {
  name: 'task new',
  usage: 'NAME [--title TITLE] [--dir DIR]',
  about: 'writes the files of a new task: source, permissions and parameters, test, types for the editor',
  details: `  --title TITLE  the task's name on the server (default: made from NAME)\n${DIR_HELP}`,
  async run(args) {
    const { values, positionals } = parse(args, { ...folderOption, title: { type: 'string' } });
    const [file = ''] = exactly(positionals, ['NAME']);
    checkFileName(file);
    const { meta, source, test } = pathsOf(values.dir, file);
    for (const path of [meta, source, test]) if (await exists(path)) throw new Failure(`${path} is already there`);
    const title = values.title ?? file.replaceAll(/[-_]+/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
    await saveTask(values.dir, {
      file,
      name: title,
      description: '',
      permissions: ['admin_api.orders.read'],
      parameters: [],
      ...noGrants,
      source_code: template(file, title),
    });
    await writeFile(test, testTemplate());
    say(`${source}, its permissions and parameters in ${meta}, its test in ${test}`);
    const where = values.dir === '.' ? '' : ` --dir ${values.dir}`;
    say(`Next: backroom task test ${file}${where}, then backroom task run ${file}${where}`);
    return 0;
  },
};

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
