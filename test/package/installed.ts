import { spawnSync } from 'node:child_process';
import { globSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningProgram, startProgram } from '../helpers/programs.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The package, installed in an empty folder without the project, and the commands that are typed there. */
export type Installed = {
  folder: string;
  tarball: string;
  tarballBytes: number;
  /** What `npm install` wrote, and how long it took with a warm cache. */
  installedBytes: number;
  installSeconds: number;
  /** Runs a command to its end; throws unless it ends with `code`. `fetches`: it is npm, which needs what this machine has for it. */
  run(command: string, options?: { cwd?: string; env?: Record<string, string>; code?: number; fetches?: boolean; input?: string }): string;
  start(command: readonly string[], env?: Record<string, string>, cwd?: string): RunningProgram;
  /** Sends a signal to all that the command started in its group, as a terminal does. */
  signal(started: RunningProgram, name: NodeJS.Signals): void;
  /** Puts a program before all others of its name. */
  place(name: string, script: string): void;
  remove(): void;
};

/** A command that waits for somebody would wait for ever. */
const LONGEST_MS = 300_000;

let installed: Installed | undefined;

/** Packed and installed once for all files of tests in this process. */
export function installPackage(): Installed {
  if (installed === undefined) {
    const made = install();
    process.on('exit', made.remove);
    installed = made;
  }
  return installed;
}

function install(): Installed {
  const root = mkdtempSync(join(tmpdir(), 'backroom-package-'));
  const [folder, tools, home] = ['shop', 'bin', 'home'].map((name) => join(root, name)) as [string, string, string];
  for (const path of [folder, tools, home]) mkdirSync(path);
  // Node and its npm, but no program of the project.
  const path = [tools, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const base = { PATH: path, HOME: home, LANG: 'C.UTF-8' };
  // What npm fetches packages with: its cache, registry and certificates.
  const ofNpm = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_(?!EXTRA)|INIT_CWD)/.test(name)),
  );

  const run: Installed['run'] = (command, { cwd = folder, env = {}, code = 0, fetches = false, input } = {}) => {
    const ended = spawnSync('sh', ['-c', command], {
      cwd,
      env: { ...(fetches ? { ...ofNpm, PATH: path } : base), ...env },
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: LONGEST_MS,
    });
    const told = `${ended.stdout}${ended.stderr}`;
    if (ended.status !== code) throw new Error(`${command} ended with ${ended.status}:\n${told}`);
    return told;
  };
  run(`npm pack --silent --pack-destination '${root}'`, { cwd: PROJECT, fetches: true });
  const [tarball = ''] = globSync(join(root, '*.tgz'));
  run('npm init --yes && npm pkg set type=module');
  const command = `npm install --no-audit --no-fund --loglevel=error '${tarball}'`;
  run(command, { fetches: true });
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const began = performance.now();
  run(command, { fetches: true });
  const installSeconds = (performance.now() - began) / 1000;
  return {
    folder,
    tarball,
    tarballBytes: statSync(tarball).size,
    installedBytes: bytesBelow(join(folder, 'node_modules')),
    installSeconds,
    run,
    start: (command, more = {}, cwd = folder) => startProgram(command, { cwd, env: { ...base, ...more }, detached: true }),
    signal({ child }, name) {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, name);
    },
    place: (name, script) => writeFileSync(join(tools, name), script, { mode: 0o755 }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** As `du -b` counts: a file with two names once. */
export function bytesBelow(folder: string): number {
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, size } = lstatSync(join(entry.parentPath, entry.name));
    if (!entry.isDirectory()) sizes.set(ino, size);
  }
  return sizes.values().reduce((sum, size) => sum + size, 0);
}
