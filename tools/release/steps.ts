import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { type Release, type Step, StepFailed } from './carry-out.ts';
import { changelogVersions, changesetFiles, otherVersions } from './changes.ts';
import { plannedRelease } from './changesets.ts';
import { digestOf, provenanceOf } from './provenance.ts';
import { obstacleTo, publish, publishArguments } from './publish.ts';
import { run } from './run.ts';
import { faultsOfSbom } from './sbom.ts';
import { ownManifest, ROOT } from './shipped.ts';

/** The steps of a release, in their order. What they make is in `dist/release/`. */

const FOLDER = join(ROOT, 'dist/release');
const inFolder = (name: string): string => join(FOLDER, name);
const tarballName = (): string => `backroom-${ownManifest().version}.tgz`;
const PROVENANCE = 'provenance.intoto.json';
const SBOM = 'sbom.cdx.json';
const LICENCES = 'THIRD-PARTY-LICENSES.txt';

const git = async (...args: string[]): Promise<string> => (await run('git', args)).trim();

export const steps: readonly Step[] = [
  {
    name: 'tree',
    async carryOut(release) {
      // What only the last step needs is looked for before the tests have run.
      const obstacle = release.dryRun ? null : obstacleTo(release, ownManifest(), process.env);
      if (obstacle !== null) throw new StepFailed(obstacle);
      const [branch, changed] = [await git('branch', '--show-current'), await git('status', '--porcelain')];
      if (changed !== '') throw new StepFailed(`files are not committed:\n${changed}`);
      if (branch !== 'main') throw new StepFailed(`a release is made of main, and this is ${branch || 'no branch'}`);
      // The tag, which comes after the publishing, must not fail for want of a name.
      if (!release.dryRun) await git('var', 'GIT_COMMITTER_IDENT');
      release.commit = await git('rev-parse', 'HEAD');
      return `main at ${release.commit.slice(0, 8)}, all committed`;
    },
  },
  {
    name: 'versions',
    async carryOut() {
      const { version } = ownManifest();
      const others = otherVersions(version);
      if (others.length > 0) throw new StepFailed(`package.json has ${version}, and others do not: ${others.join('; ')}`);
      if ((await git('tag', '--list', `v${version}`)) !== '')
        throw new StepFailed(`${version} was released already: the tag v${version} is there`);
      return `${version} everywhere, and no tag of it`;
    },
  },
  { name: 'changesets', carryOut: checkChangesets },
  { name: 'stores', carryOut: checkStores },
  { name: 'verify', carryOut: () => command('verify', 'style, types and dead code') },
  { name: 'test', carryOut: () => command('test', 'all tests of the API and its rules') },
  { name: 'package', carryOut: () => command('test:package', 'the package, in an empty folder') },
  {
    name: 'pack',
    async carryOut() {
      rmSync(FOLDER, { recursive: true, force: true });
      mkdirSync(FOLDER, { recursive: true });
      await pack(FOLDER);
      return `${tarballName()}, sha256 ${digestOf(inFolder(tarballName()), 'sha256')}`;
    },
  },
  { name: 'again', carryOut: packAgain },
  {
    name: 'sbom',
    async carryOut() {
      const text = await fromTarball(`dist/${SBOM}`);
      const faults = faultsOfSbom(JSON.parse(text));
      if (faults.length > 0) throw new StepFailed(`the SBOM is not valid: ${faults.slice(0, 5).join('; ')}`);
      writeFileSync(inFolder(SBOM), text);
      const { components } = z.object({ components: z.array(z.unknown()) }).parse(JSON.parse(text));
      return `${components.length} packages of others, valid by the schema of CycloneDX 1.6`;
    },
  },
  {
    name: 'licences',
    async carryOut() {
      // It is not made where a licence is not allowed (licences.ts).
      const text = await fromTarball(`dist/${LICENCES}`);
      writeFileSync(inFolder(LICENCES), text);
      return `${LICENCES}, ${Buffer.byteLength(text)} bytes`;
    },
  },
  { name: 'provenance', carryOut: writeProvenance },
  {
    name: 'sums',
    async carryOut() {
      const names = [tarballName(), SBOM, LICENCES, PROVENANCE].filter((name) => existsSync(inFolder(name)));
      if (names.length === 0) throw new StepFailed('there is nothing in dist/release: the step pack makes it');
      writeFileSync(inFolder('SHA256SUMS'), names.map((name) => `${digestOf(inFolder(name), 'sha256')}  ${name}\n`).join(''));
      return `SHA256SUMS of ${names.join(', ')}`;
    },
  },
  { name: 'publish', carryOut: publishIt },
];

async function command(name: string, what: string): Promise<string> {
  await run('npm', ['run', '--silent', name]);
  return what;
}

/** A release has used up its changesets. A dry run tells the version and the text that they would make. */
async function checkChangesets({ dryRun }: Release): Promise<string> {
  const pending = changesetFiles();
  if (pending.length === 0) return 'none waits';
  if (!dryRun) throw new StepFailed(`${pending.length} wait: npm run changeset -- version, and commit what it makes`);
  const { version, changelog } = await plannedRelease();
  const section = changelog.slice(changelog.indexOf(`## ${version}`), changelog.indexOf(`\n## ${changelogVersions()[0]}`));
  return `${pending.length} wait, which make ${version}:\n\n${section.trim()}\n`;
}

/** All later versions are tested on what a shop of this one leaves. */
async function checkStores(): Promise<string> {
  const { version } = ownManifest();
  const file = join(ROOT, `test/db/releases/${version}/release.json`);
  if (!existsSync(file)) throw new StepFailed(`there are no stores of ${version}: npm run release:fixture, and commit them`);
  const { migrations } = z.object({ migrations: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync(file, 'utf8')));
  const { migrationDigests } = await import('../../test/db/releases/releases.ts');
  const present = await migrationDigests();
  const other = Object.keys({ ...migrations, ...present }).filter((name) => migrations[name] !== present[name]);
  if (other.length > 0)
    throw new StepFailed(`the stores of ${version} are older than ${other.join(', ')}: npm run release:fixture, and commit them`);
  return `of ${version}, with ${Object.keys(present).length} migrations`;
}

async function pack(folder: string): Promise<void> {
  await run('npm', ['pack', '--silent', `--pack-destination=${folder}`]);
}

/** Whoever builds the commit again gets the same files, but for the documentation: a shop answers the examples of its API anew. */
async function packAgain(): Promise<string> {
  if (!existsSync(inFolder(tarballName()))) throw new StepFailed(`dist/release/${tarballName()} is not there: the step pack makes it`);
  const again = inFolder('again');
  mkdirSync(again, { recursive: true });
  try {
    await pack(again);
    const [first, second] = await Promise.all([digestsIn(FOLDER, inFolder('first')), digestsIn(again, join(again, 'second'))]);
    const other = [...new Set([...first.keys(), ...second.keys()])].filter((path) => first.get(path) !== second.get(path));
    const wrong = other.filter((path) => !path.startsWith('package/dist/docs/'));
    if (wrong.length > 0) throw new StepFailed(`built again, ${wrong.length} files are others: ${wrong.slice(0, 5).join(', ')}`);
    return `built again, its ${first.size - other.length} files are the same; ${other.length} of the documentation have new examples`;
  } finally {
    for (const folder of [again, inFolder('first')]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The digests of the files in the tarball of the folder, by their paths; `to` is made. */
async function digestsIn(folder: string, to: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(to);
  await run('tar', ['-xzf', join(folder, tarballName()), '-C', to]);
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map((entry) => join(entry.parentPath, entry.name)).map((file) => [relative(to, file), digestOf(file, 'sha256')]));
}

async function fromTarball(path: string): Promise<string> {
  if (!existsSync(inFolder(tarballName()))) throw new StepFailed(`dist/release/${tarballName()} is not there: the step pack makes it`);
  return run('tar', ['-xzOf', inFolder(tarballName()), `package/${path}`]);
}

/** The commit that the release began with. Where it is another by now, or files were changed, nobody knows what was packed. */
async function builtCommit({ commit }: Release): Promise<string> {
  const head = await git('rev-parse', 'HEAD');
  // A step that is taken alone has no beginning.
  if (commit === undefined) return head;
  const changed = await git('status', '--porcelain');
  if (head !== commit || changed !== '') throw new StepFailed(`the files are not those of ${commit.slice(0, 8)} any more: begin again`);
  return commit;
}

async function writeProvenance(release: Release): Promise<string> {
  const { startedOn, command: typed, dryRun } = release;
  if (!existsSync(inFolder(tarballName()))) throw new StepFailed(`dist/release/${tarballName()} is not there: the step pack makes it`);
  const { name, version } = ownManifest();
  const repository = (await git('remote')) === '' ? null : await git('remote', 'get-url', 'origin');
  const statement = provenanceOf({
    name,
    version,
    tarball: inFolder(tarballName()),
    lockFile: join(ROOT, 'package-lock.json'),
    commit: await builtCommit(release),
    repository,
    command: typed,
    tools: { node: process.version, npm: (await run('npm', ['--version'])).trim(), platform: `${process.platform}-${process.arch}` },
    startedOn,
    finishedOn: new Date(),
    env: process.env,
  });
  writeFileSync(inFolder(PROVENANCE), `${JSON.stringify(statement, null, 2)}\n`);
  return `${PROVENANCE}, not signed${dryRun ? '' : '; npm signs its own'}`;
}

async function publishIt(release: Release): Promise<string> {
  const { dryRun, registry, provenance } = release;
  const publishing = { tarball: inFolder(tarballName()), registry, provenance };
  const obstacle = obstacleTo(publishing, ownManifest(), process.env);
  const { version } = ownManifest();
  if (dryRun)
    return `not done: npm ${publishArguments(publishing).join(' ')}; git tag v${version}${obstacle === null ? '' : `\n       It could not be done here: ${obstacle}`}`;
  if (obstacle !== null) throw new StepFailed(obstacle);
  const commit = await builtCommit(release);
  await publish(publishing);
  await git('tag', '--annotate', `v${version}`, '--message', `Backroom ${version}`, commit).catch(() => {
    throw new StepFailed(`${version} is published, and its tag could not be set: git tag --annotate v${version} ${commit}, and push it`);
  });
  return `${version} is published, and has its tag: git push origin v${version}`;
}
