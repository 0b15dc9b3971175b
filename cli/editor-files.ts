import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ dependencies: Names, devDependencies: Names });

const PROGRAM = fileURLToPath(new URL('..', import.meta.url));

const COMMON = {
  target: 'es2024',
  // `nodenext` would treat the files of a folder without a package.json as CommonJS.
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};
/** What the sandbox has of the language. */
const LIB = ['es2024', 'esnext.disposable', 'esnext.iterator', 'esnext.temporal', 'esnext.typedarrays'];

/** Configurations for editors in a folder with tasks: tasks have the sandbox's globals, their tests have those of Node. */
function configs(folder: string): Record<string, object> {
  return {
    'tsconfig.tasks.json': {
      compilerOptions: { ...COMMON, lib: LIB, types: [], ...typesOf(folder, 'backroom', 'index') },
      include: ['.'],
      exclude: ['**/*.test.ts', '**/node_modules'],
    },
    'tsconfig.tests.json': {
      compilerOptions: { ...COMMON, types: ['node'], ...nodeTypesOf(folder), ...typesOf(folder, 'backroom/testing', 'testing') },
      include: ['*.test.ts'],
    },
  };
}

/** The `tsconfig.json` that editors look for; it refers to the others. */
const indexOf = (names: readonly string[]): object => ({ files: [], references: names.map((name) => ({ path: `./${name}` })) });

/** Writes these files, unless the folder already has a `tsconfig.json`. */
export async function saveEditorFiles(folder: string): Promise<void> {
  const files = configs(folder);
  try {
    await writeFile(join(folder, 'tsconfig.json'), json(indexOf(Object.keys(files))), { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  for (const [name, config] of Object.entries(files)) await writeFile(join(folder, name), json(config));
}

/** Where a folder's own packages have the types, they are found as those of any package; else they are named where this program is. */
function typesOf(folder: string, specifier: string, file: string): { paths?: Record<string, string[]> } {
  if (declares(folder, 'backroom')) return {};
  const built = join(PROGRAM, 'dist/types/sandbox-lib', `${file}.d.ts`);
  const source = join(PROGRAM, 'sandbox-lib', `${file}.ts`);
  return { paths: { [specifier]: [isPackage() ? built : source] } };
}

function nodeTypesOf(folder: string): { typeRoots?: string[] } {
  return declares(folder, '@types/node') || isPackage() ? {} : { typeRoots: [join(PROGRAM, 'node_modules/@types')] };
}

const isPackage = (): boolean => !existsSync(join(PROGRAM, 'sandbox-lib/testing.ts'));

/** Whether the nearest package.json names the package, be it installed already or not. */
function declares(folder: string, name: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, 'package.json');
    if (existsSync(file)) {
      const { data } = Manifest.safeParse(parse(readFileSync(file, 'utf8')));
      return data !== undefined && (name in data.dependencies || name in data.devDependencies);
    }
    if (at === dirname(at)) return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The content of a JSON file that people read. */
export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
