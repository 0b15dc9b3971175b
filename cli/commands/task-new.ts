import { access } from 'node:fs/promises';
import { type Command, DIR_HELP, exactly, folderOption, parse, say } from '../command.ts';
import { Failure } from '../failure.ts';
import { checkFileName, pathsOf, saveTask } from '../task-files.ts';

export const taskNew: Command = {
  name: 'task new',
  usage: 'NAME [--title TITLE] [--dir DIR]',
  about: 'writes the files of a new task: source, permissions and parameters, types for the editor',
  details: `  --title TITLE  its name on the server (default: made from NAME)\n${DIR_HELP}`,
  async run(args) {
    const { values, positionals } = parse(args, { ...folderOption, title: { type: 'string' } });
    const [file = ''] = exactly(positionals, ['NAME']);
    checkFileName(file);
    const { meta, source } = pathsOf(values.dir, file);
    for (const path of [meta, source]) if (await exists(path)) throw new Failure(`${path} is already there`);
    const title = values.title ?? file.replaceAll(/[-_]+/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
    await saveTask(values.dir, {
      file,
      name: title,
      description: '',
      permissions: ['admin_api.orders.read'],
      parameters: [],
      source_code: template(file, title),
    });
    say(
      `${source}, and its permissions and parameters in ${meta}\nNext: backroom task run ${file}${values.dir === '.' ? '' : ` --dir ${values.dir}`}`,
    );
    return 0;
  },
};

function template(file: string, title: string): string {
  return `import { log } from 'backroom';
import type { Admin } from './${file}.permissions.ts';

declare const admin: Admin;

/** ${title.replaceAll('*/', '')} */
export default async function main() {
  const { total } = await admin.orders.list({ per_page: 1 });
  log(\`\${total} orders\`);
  return { orders: total };
}
`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
