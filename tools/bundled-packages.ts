import { fileURLToPath } from 'node:url';

/** Which packages a build has put into its files: their licences ask to be named with them. */

/** The file with the list, in the folder of a build. Servers do not answer names that begin with a dot. */
export const LIST = '.packages.json';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replaceAll('\\', '/');

/** The folders of the packages that the files are in, such as `node_modules/koa`, below the project; of one inside another, the inner one. */
export function packageFolders(paths: Iterable<string>): string[] {
  const inProject = [...paths].map((path) =>
    path
      .replace(/^\0/, '')
      .replaceAll('\\', '/')
      .replace(ROOT, '')
      .replace(/^(\.\.\/)+/, ''),
  );
  return [...new Set(inProject.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/?]+(?=\/)/.exec(path)?.[0] ?? []))].sort();
}

/** What the plugins use of Vite, of which the console and the documentation have different versions. */
type Build = { getModuleIds(): Iterable<string>; emitFile(file: { type: 'asset'; fileName: string; source: string }): string };
type Bundle = Record<string, { type: 'chunk' } | { type: 'asset'; originalFileNames: readonly string[] }>;
type ListPlugin = { name: string; apply: 'build'; generateBundle(this: Build, options: unknown, bundle: Bundle): void };

/** Plugins of a build and of the workers that it builds; together they write the list into its folder. */
export function listPackages(): { build: ListPlugin; worker: ListPlugin } {
  const paths = new Set<string>();
  const collect = (ids: Iterable<string>, bundle: Bundle): void => {
    for (const id of ids) paths.add(id);
    for (const file of Object.values(bundle)) if (file.type === 'asset') for (const name of file.originalFileNames) paths.add(name);
  };
  return {
    worker: {
      name: 'packages-of-workers',
      apply: 'build',
      generateBundle(_options, bundle) {
        collect(this.getModuleIds(), bundle);
      },
    },
    build: {
      name: 'packages',
      apply: 'build',
      generateBundle(_options, bundle) {
        collect(this.getModuleIds(), bundle);
        this.emitFile({ type: 'asset', fileName: LIST, source: `${JSON.stringify(packageFolders(paths), null, 1)}\n` });
      },
    },
  };
}
