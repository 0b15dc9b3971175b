import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = join(fileURLToPath(import.meta.url), '../..');
/** The project's own setting, `nodenext`, would treat the files of a folder without a package.json as CommonJS. */
const MODULES = { module: 'esnext', moduleResolution: 'bundler' };

/** Configurations for editors in a folder with tasks: tasks have the sandbox's globals, their tests have those of Node. */
const CONFIGS = {
  'tsconfig.tasks.json': {
    extends: `${PROJECT}/sandbox-lib/tsconfig.json`,
    // The server transforms what is more than types.
    compilerOptions: { ...MODULES, erasableSyntaxOnly: false, paths: { backroom: [`${PROJECT}/sandbox-lib/index.ts`] } },
    include: ['.'],
    exclude: ['*.test.ts', 'node_modules'],
  },
  'tsconfig.tests.json': {
    extends: `${PROJECT}/tsconfig.json`,
    compilerOptions: {
      ...MODULES,
      typeRoots: [`${PROJECT}/node_modules/@types`],
      paths: { 'backroom/testing': [`${PROJECT}/sandbox-lib/testing.ts`] },
    },
    include: ['*.test.ts'],
  },
};
/** The `tsconfig.json` that editors look for; it refers to the others. */
const INDEX = { files: [], references: Object.keys(CONFIGS).map((name) => ({ path: `./${name}` })) };

/** Writes these files, unless the folder already has a `tsconfig.json`. */
export async function saveEditorFiles(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, 'tsconfig.json'), json(INDEX), { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  for (const [name, config] of Object.entries(CONFIGS)) await writeFile(join(folder, name), json(config));
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
