import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Grants } from '../../contract/grants.ts';
import { ParameterDeclaration } from '../../contract/tasks.ts';

/** A recipe shows an example word for word, or a task of its own, and says what each may do and which parameters it takes. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const recipes = globSync('docs/recipes/*.md', { cwd: root }).filter((path) => !path.endsWith('/README.md'));

type Shown = { path: string; text: string };
const filesIn = (text: string): Shown[] =>
  [...text.matchAll(/^```\w+ \[([^\]]+)\]\n([\s\S]*?)^```$/gm)].map(([, path = '', shown = '']) => ({ path, text: shown }));

const Declared = z.object({ permissions: z.array(z.string()), parameters: z.array(ParameterDeclaration), ...Grants.shape });

/** What the task declares: as the example's file says, else as the file in the page does. */
function declaredBy(name: string, files: readonly Shown[]): z.infer<typeof Declared> {
  const own = files.find(({ path }) => path === `${name}.task.json`);
  return Declared.parse(JSON.parse(own?.text ?? read(`tasks-examples/${name}.task.json`)));
}

for (const recipe of recipes) {
  test(`${recipe} shows its task as it is`, () => {
    const text = read(recipe);
    const files = filesIn(text);
    const source = files.find(({ path }) => /^[\w-]+\.ts$/.test(path));
    assert.ok(source, 'the source of the task');
    const name = basename(source.path, '.ts');
    assert.ok(
      files.some(({ path }) => path === `${name}.test.ts`),
      'its test',
    );
    for (const { path, text: shown } of files) {
      const example = `tasks-examples/${path}`;
      if (existsSync(`${root}/${example}`)) assert.equal(shown, read(example), `copy ${example} into the page`);
    }
    const { permissions, parameters, mail_to, http_allow, secrets } = declaredBy(name, files);
    const addresses = http_allow.map((entry) => entry.replace(/^[A-Z,]+ /, ''));
    for (const word of [...permissions, ...mail_to, ...addresses, ...secrets]) assert.ok(text.includes(`\`${word}\``), `it names ${word}`);
    for (const { name: parameter, label = '' } of parameters) assert.match(text, rowOf(parameter, label), `it has a row for ${parameter}`);
  });
}

const rowOf = (name: string, label: string): RegExp =>
  new RegExp(`^\\| \`${name}\` \\| .+ \\| ${label.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')} \\|$`, 'm');

test('the list of recipes names each by its title', () => {
  const list = read('docs/recipes/README.md');
  assert.equal(recipes.length, 15);
  for (const recipe of recipes) {
    const [, title = ''] = /^# (.+)$/m.exec(read(recipe)) ?? [];
    assert.ok(list.includes(`[${title}](${basename(recipe)})`), recipe);
  }
});
