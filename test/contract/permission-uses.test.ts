import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionUses } from '../../contract/permission-uses.ts';

const namesIn = (source: string) => permissionUses(source, {}).map(({ name }) => name);

test('a function of the library is found wherever the source calls it: awaited, returned, spread, over lines', () => {
  for (const source of [
    'await prompt({})',
    'return prompt ({})',
    'const answer =\n  await\n  prompt({});',
    '[...prompt({})]',
    'void prompt({})',
    'x=prompt({})',
  ])
    assert.deepEqual(namesIn(source), ['prompt'], source);
  assert.deepEqual(namesIn('await notify({}); await files.write("a.csv", "")').toSorted(), ['files.write', 'notify']);
});

test('what only has the name is none: a method, another name, a function of the source', () => {
  for (const source of [
    'window.prompt()',
    'form\n  .prompt()',
    'form?.prompt()',
    'myprompt()',
    '$prompt()',
    'function prompt() {}',
    'prompt',
  ])
    assert.deepEqual(namesIn(source), [], source);
});
