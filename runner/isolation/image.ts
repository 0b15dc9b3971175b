import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorker, CACHE } from '../bundling.ts';
import { seccompFilter } from './seccomp.ts';

/** The folder that a worker sees as its root, and the files that are used with it. */
export type Image = {
  root: string;
  /** The path of Node outside the image; inside it is mounted at `/node`. */
  node: string;
  /** The file with the compiled seccomp filter; null on an architecture for which there is none. */
  filter: string | null;
};

/** Paths inside the image. */
export const NODE = '/node';
export const PROGRAM = '/app';
export const MAIN = `${PROGRAM}/worker.js`;
export const PRELUDE = `${PROGRAM}/prelude.snapshot`;
/** The only entries that a worker's root may have. */
export const ROOT_ENTRIES: readonly string[] = ['app', 'lib', 'lib64', 'node', 'usr'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKER_MAIN = join(ROOT, 'runner/worker/main.ts');

/**
 * Builds a folder with exactly what a worker needs: its code in one file, isolated-vm and the libraries that Node is linked
 * with. The image is built once for each state of these files, in a place that the user `uid` (null: this process's own) can read.
 */
export async function buildImage(prelude: string, uid: number | null, workerMain = WORKER_MAIN): Promise<Image> {
  // The worker's user must be able to read these files, even where this process's umask is stricter.
  const umask = process.umask(0o022);
  try {
    return await placeImage(prelude, uid, workerMain);
  } finally {
    process.umask(umask);
  }
}

type File = { to: string } & ({ text: string | Buffer } | { from: string });

async function placeImage(prelude: string, uid: number | null, workerMain: string): Promise<Image> {
  const addon = addonPath();
  const files: File[] = [
    { to: MAIN, text: await bundleWorker(workerMain) },
    { to: PRELUDE, text: await readFile(prelude) },
    { to: `${PROGRAM}/package.json`, text: '{"type":"module"}' },
    { to: `${PROGRAM}/node_modules/isolated-vm/package.json`, text: '{"main":"index.cjs"}' },
    { to: `${PROGRAM}/node_modules/isolated-vm/index.cjs`, text: "module.exports = require('./isolated_vm.node').ivm;" },
    { to: `${PROGRAM}/node_modules/isolated-vm/isolated_vm.node`, from: addon },
    ...sharedLibraries().map((path): File => ({ to: path, from: path })),
  ];
  const name = `sandbox-${await digest(files)}`;
  const folder = uid === null || isOpenToAll(ROOT) ? await placeInCache(name, files) : null;
  const place = await realpath(folder ?? (await placeInTemporary(files)));
  const filter = join(place, 'seccomp.bpf');
  return {
    root: join(place, 'root'),
    node: uid === null || isOpenToAll(process.execPath) ? process.execPath : await copyOfNode(place),
    filter: statSync(filter, { throwIfNoEntry: false }) ? filter : null,
  };
}

/** The path of isolated-vm's addon. Its own search needs a package and files that an empty root does not have. */
function addonPath(): string {
  const require = createRequire(import.meta.url);
  const main = require.resolve('isolated-vm');
  const finder: { path(folder: string): string } = createRequire(main)('node-gyp-build');
  return finder.path(dirname(main));
}

/**
 * The libraries that the dynamic linker loaded for this process, which runs the same Node; the paths are those that the linker
 * will ask for in the image.
 */
function sharedLibraries(): string[] {
  // Otherwise the report would look up the names of addresses by DNS.
  Object.assign(process.report, { excludeNetwork: true });
  const report: object = process.report.getReport();
  const loaded: unknown = 'sharedObjects' in report ? report.sharedObjects : [];
  if (!Array.isArray(loaded)) return [];
  return loaded.filter((path): path is string => typeof path === 'string' && path.startsWith('/') && /\.so(\.\d+)*$/.test(path));
}

async function digest(files: readonly File[]): Promise<string> {
  const hash = createHash('sha256').update(process.version).update(process.execPath);
  hash.update(seccompFilter(process.arch) ?? '');
  for (const file of files) {
    hash.update(`\0${file.to}\0`);
    if ('text' in file) hash.update(file.text);
    else {
      const { size, mtimeMs } = await stat(file.from);
      hash.update(`${file.from} ${size} ${mtimeMs}`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns null when the folder of the installation is not writable. */
async function placeInCache(name: string, files: readonly File[]): Promise<string | null> {
  const path = join(CACHE, name);
  if (statSync(path, { throwIfNoEntry: false })) return path;
  const part = `${path}.${process.pid}`;
  try {
    await fill(part, files);
    await rename(part, path);
  } catch (error) {
    await rm(part, { recursive: true, force: true }).catch(() => {});
    // Another runner has built the same image meanwhile.
    if (statSync(path, { throwIfNoEntry: false })) return path;
    if (isRefusal(error)) return null;
    throw error;
  }
  return path;
}

async function placeInTemporary(files: readonly File[]): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'backroom-sandbox-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  await chmod(path, 0o755);
  await fill(path, files);
  return path;
}

async function fill(folder: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const to = join(folder, 'root', file.to);
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    if ('text' in file) await writeFile(to, file.text, { mode: 0o644 });
    else await copyFile(file.from, to);
    await chmod(to, 'from' in file && !file.from.endsWith('.node') ? 0o755 : 0o644);
  }
  await writeFile(join(folder, 'root', NODE), '', { mode: 0o755 });
  const filter = seccompFilter(process.arch);
  if (filter) await writeFile(join(folder, 'seccomp.bpf'), filter, { mode: 0o644 });
}

/** Makes Node readable for the worker's user where a folder above it is closed: by a hard link, or else by a copy. */
async function copyOfNode(place: string): Promise<string> {
  const path = join(place, 'node');
  if (statSync(path, { throwIfNoEntry: false })) return path;
  const part = `${path}.${process.pid}`;
  await link(process.execPath, part).catch(() => copyFile(process.execPath, part));
  await rename(part, path);
  return path;
}

/** Whether every user may read the file and pass through each folder above it. */
function isOpenToAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) < (at === path ? 0o005 : 0o001)) return false;
    if (at === dirname(at)) return true;
  }
}

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOENT' || code === 'ENOTDIR';
}
