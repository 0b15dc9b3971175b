import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runScript } from '../helpers/worker.ts';

const refused: Array<[name: string, source: string, message: RegExp]> = [
  ['another module', 'const a = 1;\nimport fs from "node:fs";', /import of "node:fs" is refused.*task\.ts:2:1/],
  [
    'a value beside types',
    "import { Admin } from './name.permissions.ts';",
    /only 'backroom' can be imported, and types with `import type`.*task\.ts:1:1/,
  ],
  ['import()', 'const a = 1;\n  const b = await import("node:fs");', /import\(\) is refused.*task\.ts:2:19/],
  ['import.meta', 'log(import.meta.url);', /import\.meta is refused.*task\.ts:1:5/],
  ['export from', 'export * from "./x.ts";', /export … from is refused.*task\.ts:1:1/],
  ['a name that is not there', "import { fetch } from 'backroom';", /no export "fetch".*task\.ts:1:10/],
];
for (const [name, source, message] of refused) {
  test(`${name} is refused as an import, and the error names its place`, async () => {
    const { done } = await runScript(source);
    assert.equal(done.end_reason, 'script_error');
    assert.match(done.error_message ?? '', message);
  });
}

test("names of 'backroom' can be imported, also under another name", async () => {
  const { logs, result } = await runScript(`
    import { log as write, type Json, parameters } from 'backroom';
    import * as backroom from 'backroom';
    import type { Admin } from 'backroom';
    write('written');
    export default (): Json => [parameters === backroom.parameters, typeof backroom.admin];
  `);
  assert.deepEqual(logs, ['written']);
  assert.deepEqual(result, [true, 'object']);
});
