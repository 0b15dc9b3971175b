import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type PackageSet = {
  packages: Record<string, string>;
  /** The packages whose install scripts run, because they have no ready native addon. All other scripts stay off. */
  native: readonly string[];
};

/** What is installed, each set in a folder of its own: the one place that pins the versions of the peers. */
export const SETS = {
  queues: { packages: { 'graphile-worker': '0.18.0', 'pg-boss': '12.38.0', bullmq: '6.7.0', ioredis: '5.11.1' }, native: [] },
  n8n: { packages: { n8n: '2.40.7' }, native: ['sqlite3'] },
  vendure: { packages: { '@vendure/core': '3.7.3' }, native: [] },
} satisfies Record<string, PackageSet>;
export type SetName = keyof typeof SETS;

const LIMIT_MS = 20 * 60_000;
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'backroom-bench-peers');

/** Installs a set into the cache folder where these versions are not there yet, and returns its folder. */
export async function installed(name: SetName): Promise<string> {
  const { packages, native }: PackageSet = SETS[name];
  const folder = join(cache, name);
  const note = join(folder, 'installed.json');
  const wanted = JSON.stringify({ packages, native });
  if (existsSync(note) && (await readFile(note, 'utf8')) === wanted) return folder;
  process.stderr.write(`installing ${name} into ${folder} …\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  await npm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (native.length > 0) await npm(folder, ['rebuild', ...native]);
  await writeFile(note, wanted);
  return folder;
}

async function npm(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (told = `${told}${chunk}`.slice(-2000)));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const reason = told.split('\n').find((line) => /^npm error (?!code)/.test(line));
  if (code !== 0) throw new Error(`npm ${args[0]} failed: ${reason ?? told.trim()}`);
}
