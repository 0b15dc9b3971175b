import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { run } from './run.ts';
import { ROOT } from './shipped.ts';

/**
 * Changesets counts the packages of a workspace, and not the root of it, which is the one that is released here. So it works in a folder of
 * its own, where package.json names no workspaces; what it wrote is taken from there.
 */

const PROGRAM = fileURLToPath(new URL('bin.js', import.meta.resolve('@changesets/cli/package.json')));
const Manifest = z.looseObject({ version: z.string() });
const CHART = join(ROOT, 'deploy/helm/backroom/Chart.yaml');

async function withCopy<T>(work: (folder: string, env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-changesets-'));
  try {
    const { workspaces: _, ...manifest } = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    for (const name of ['.changeset', 'CHANGELOG.md']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const gitDir = (await run('git', ['rev-parse', '--absolute-git-dir'])).trim();
    return await work(folder, { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks in the terminal, and keeps the file that came of it; resolves with the exit code. */
export function writeChangeset(args: readonly string[]): Promise<number> {
  return withCopy(async (folder, env) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code === 0) cpSync(join(folder, '.changeset'), join(ROOT, '.changeset'), { recursive: true });
    return code ?? 1;
  });
}

/** The version that the changesets make, and the changelog with it. Nothing is changed. */
export function plannedRelease(): Promise<{ version: string; changelog: string }> {
  return withCopy(async (folder, env) => {
    await run(process.execPath, [PROGRAM, 'version'], { cwd: folder, env });
    const { version } = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { version, changelog: readFileSync(join(folder, 'CHANGELOG.md'), 'utf8') };
  });
}

/** Makes the version that the changesets ask for: in package.json, the chart and the changelog. The changesets go. */
export async function applyRelease(): Promise<{ version: string }> {
  const { version, changelog } = await plannedRelease();
  const manifest = join(ROOT, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`));
  writeFileSync(
    CHART,
    readFileSync(CHART, 'utf8')
      .replace(/^version: .*$/m, `version: ${version}`)
      .replace(/^appVersion: .*$/m, `appVersion: "${version}"`),
  );
  writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog);
  for (const name of readdirSync(join(ROOT, '.changeset'))) if (/^(?!README).*\.md$/.test(name)) rmSync(join(ROOT, '.changeset', name));
  return { version };
}
