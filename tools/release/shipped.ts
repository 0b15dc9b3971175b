import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** What a user of the package gets from others: packages in its files, and those that npm installs beside it. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `folder`: below the project. `bundled`: in our files; otherwise npm installs it. `optional`: on some machines only. */
export type Shipped = {
  name: string;
  version: string;
  license: string;
  folder: string;
  bundled: boolean;
  optional: boolean;
  integrity: string | null;
  /** The author, whom a licence without a text of its own names. */
  author: string;
};

const Person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).optional(),
  author: Person.optional(),
});
const Locked = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().nullable().default(null),
  optional: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const Lock = z.object({ packages: z.record(z.string(), Locked) });

export const ownManifest = () =>
  z.looseObject({ name: z.string(), version: z.string(), license: z.string(), description: z.string() }).parse(readJson('package.json'));
const readLock = () => Lock.parse(readJson('package-lock.json')).packages;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** All that is shipped, by name; `bundled`: the folders of the packages in our files. */
export function shippedPackages(bundled: readonly string[]): Shipped[] {
  const lock = readLock();
  const inside = bundled.map((folder) => bundledPackage(folder, lock[folder]?.integrity ?? null));
  const beside = installedFolders(lock).map((folder) => installedPackage(folder, lock[folder] ?? Locked.parse({})));
  return [...inside, ...beside].sort(
    (a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en') || Number(a.bundled) - Number(b.bundled),
  );
}

function bundledPackage(folder: string, integrity: string | null): Shipped {
  const { name, version, license = 'unknown', author = '' } = Manifest.parse(readJson(`${folder}/package.json`));
  return { name, version, license, folder, bundled: true, optional: false, integrity, author };
}

/** Of a package for other machines, the lock file alone tells something. */
function installedPackage(folder: string, { version = '', license, integrity, optional = false }: z.infer<typeof Locked>): Shipped {
  const here = existsSync(join(ROOT, folder, 'package.json')) ? Manifest.parse(readJson(`${folder}/package.json`)) : null;
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    name,
    version,
    license: license ?? here?.license ?? 'unknown',
    folder,
    bundled: false,
    optional,
    integrity,
    author: here?.author ?? '',
  };
}

/** The folders of what `npm install` of the package installs: its dependencies, and theirs. */
function installedFolders(lock: z.infer<typeof Lock>['packages']): string[] {
  const found = new Set<string>();
  const add = (from: string): void => {
    const { dependencies, optionalDependencies } = lock[from] ?? Locked.parse({});
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = resolve(lock, from, name);
      if (folder === null || found.has(folder)) continue;
      found.add(folder);
      add(folder);
    }
  };
  add('');
  return [...found];
}

/** As Node looks for a package: in the folder itself, then in those around it. */
function resolve(lock: Record<string, unknown>, from: string, name: string): string | null {
  for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const folder = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (folder in lock) return folder;
    if (at === '') return null;
  }
}
