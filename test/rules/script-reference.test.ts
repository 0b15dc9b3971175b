import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskPermissions } from '../../contract/permissions.ts';
import { scriptNames } from '../../contract/script-library.ts';
import { taskCalls } from '../../contract/task-calls.ts';
import { createTypeChecker } from '../../server/type-check/check.ts';
import { scriptReference } from '../../tools/script-reference.ts';

const reference = scriptReference();

test('the reference has every call that tasks may be granted, and every name of the library', () => {
  const names = reference.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => name.startsWith('admin.')),
    Object.keys(taskCalls()).map((id) => `admin.${id}`),
  );
  const tops = new Set(names.map((name) => name.split('.')[0]));
  assert.deepEqual(
    scriptNames.filter((name) => !tops.has(name)),
    [],
  );
  assert.equal(new Set(names).size, names.length);
  for (const { name, summary, signature } of reference) assert.ok(summary !== '' && signature !== '', name);
});

test('each example has the types that the editor asks for, and all together need what the reference says', async () => {
  const types = createTypeChecker();
  try {
    const source = reference.map(({ example }, n) => `export async function example${n}() {\n${example}\n}\n`).join('');
    const { faults, needed, unchecked } = await types.check({ source, permissions: taskPermissions, parameters: [] });
    assert.deepEqual([unchecked, faults.map(({ line, message }) => `${source.split('\n')[line - 1]}: ${message}`)], [null, []]);
    const told = new Set(reference.flatMap(({ needs }) => needs ?? []));
    assert.deepEqual(
      needed.filter((one) => !told.has(one)),
      [],
    );
  } finally {
    await types.close();
  }
});
