import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changelogVersions, changesetFiles, faultOfChangeset, otherVersions } from '../../tools/release/changes.ts';
import { ownManifest, ROOT } from '../../tools/release/shipped.ts';

/** The version stands in package.json, and whatever else has it has the same. What a release brings is told by changesets. */

const { name, version } = ownManifest();

test('lock file, chart and changelog have the version of package.json', () => {
  assert.deepEqual(otherVersions(version), []);
  assert.deepEqual(otherVersions('99.0.0'), [
    `package-lock.json: ${version}`,
    `version of Chart.yaml: ${version}`,
    `appVersion of Chart.yaml: ${version}`,
    `the first section of CHANGELOG.md: ${version}`,
  ]);
});

test('no version of the changelog is there twice, and each is one of semantic versioning', () => {
  const versions = changelogVersions();
  assert.deepEqual(versions, [...new Set(versions)]);
  for (const one of versions) assert.match(one, /^\d+\.\d+\.\d+$/);
});

test('each changeset names the package, a kind of change, and what a user notices', () => {
  for (const file of changesetFiles())
    assert.equal(faultOfChangeset(readFileSync(join(ROOT, '.changeset', file), 'utf8'), name), null, file);
  const good = '---\n"backroom": minor\n---\n\nOrders have shelves.\n';
  assert.equal(faultOfChangeset(good, name), null);
  for (const [text, fault] of [
    ['Orders have shelves.\n', /must begin/],
    [good.replace('minor', 'small'), /patch, minor or major/],
    [good.replace('backroom', '@backroom/site'), /patch, minor or major/],
    [good.replace('Orders have shelves.', ''), /what a user notices/],
  ] as const)
    assert.match(faultOfChangeset(text, name) ?? '', fault);
});
