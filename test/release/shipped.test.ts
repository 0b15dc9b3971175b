import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageFolders } from '../../tools/bundled-packages.ts';
import { forbidden, licencesText } from '../../tools/release/licences.ts';
import { faultsOfSbom, sbomOf } from '../../tools/release/sbom.ts';
import { ROOT, type Shipped, shippedPackages } from '../../tools/release/shipped.ts';

/** What the package has from others: their licences, and the bill of materials. test/package checks those of the package itself. */

const BUNDLED = ['node_modules/koa', 'node_modules/@koa/router', 'node_modules/react', 'node_modules/zod'];
const packages = shippedPackages(BUNDLED);
const one = (name: string, bundled: boolean): Shipped =>
  packages.find((each) => each.name === name && each.bundled === bundled) ?? assert.fail(`${name} is not there`);

test('the package that a file is of is the innermost one', () => {
  assert.deepEqual(
    packageFolders([
      `${ROOT}node_modules/koa/lib/application.js?v=1`,
      'node_modules/@koa/router/dist/index.mjs',
      `\0${ROOT}node_modules/vite/node_modules/esbuild/lib/main.js`,
      `${ROOT}console/editor/node_modules/typescript/lib/typescript.js`,
      '../../../node_modules/@fontsource-variable/geist/files/geist.woff2',
      `${ROOT}server/main.ts`,
    ]),
    [
      'console/editor/node_modules/typescript',
      'node_modules/@fontsource-variable/geist',
      'node_modules/@koa/router',
      'node_modules/koa',
      'node_modules/vite/node_modules/esbuild',
    ],
  );
});

test('what npm installs is found through the dependencies, for other machines too, and no tool of the project is', () => {
  assert.deepEqual([one('better-sqlite3', false).license, one('zod', true).version], ['MIT', one('zod', false).version]);
  assert.ok(packages.some(({ name, optional }) => name === '@esbuild/win32-x64' && optional));
  for (const tool of ['typescript', 'vite', '@biomejs/biome']) assert.ok(!packages.some(({ name }) => name === tool), tool);
});

test('each text of a licence stands once, with all packages and holders that it is of', () => {
  const text = licencesText(packages);
  assert.equal(text.split('Permission is hereby granted, free of charge').length, 2);
  for (const line of ['- koa ', '- @koa/router ', '- react ']) assert.ok(text.includes(line), line);
  assert.match(text, /Koa contributors/);
  assert.match(text, /npm installs these.*\n\n[\s\S]*- better-sqlite3 /);
});

test('a licence that is not allowed fails, in whatever way it is combined', () => {
  const under = (license: string) => forbidden([{ ...one('koa', true), license }]);
  assert.deepEqual(under('MIT'), []);
  assert.deepEqual(under('(GPL-3.0 OR MIT)'), []);
  const { version } = one('koa', true);
  for (const bad of ['GPL-3.0', 'MIT AND GPL-3.0', 'unknown', 'SEE LICENSE IN LICENSE'])
    assert.deepEqual(under(bad), [`koa@${version}: ${bad}`]);
  assert.throws(() => licencesText([{ ...one('koa', true), license: 'AGPL-3.0' }]), /not allowed .*: koa@/);
});

test('the bill of materials is valid by the schema of CycloneDX, the same each time, and tells how each package comes', () => {
  const bom = sbomOf(packages);
  assert.deepEqual(faultsOfSbom(bom), []);
  assert.deepEqual(sbomOf(shippedPackages(BUNDLED)), bom);
  const text = JSON.stringify(bom);
  assert.match(text, /"purl":"pkg:npm\/%40koa\/router@[\d.]+","scope":"required"/);
  assert.match(
    text,
    /"name":"zod",[\s\S]*?"properties":\[\{"name":"backroom:shipped","value":"bundled"\},\{"name":"backroom:shipped","value":"installed"\}\]/,
  );
  assert.notDeepEqual(faultsOfSbom({ ...bom, components: [{ name: 'koa' }] }), []);
});
