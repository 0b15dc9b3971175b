import { canonicalPermission } from '../contract/permissions.ts';

/**
 * The module `NAME.permissions.ts` beside a task: the globals as a version with these permissions may use them, so
 * that an editor flags a call which the server would refuse.
 */
export function permissionsModule(permissions: readonly string[]): string {
  const declared = [...new Set(permissions.map(canonicalPermission))];
  const union = declared.length === 0 ? ' never' : declared.map((permission) => `\n  | ${JSON.stringify(permission)}`).join('');
  return `// Made from the permissions in the task's .task.json, and written anew by \`backroom task push\` and \`pull\`.
import type { AdminWith, FilesWith, LlmWith, PromptWith } from 'backroom';

type Declared =${union};

export type Admin = AdminWith<Declared>;
export type Files = FilesWith<Declared>;
export type Llm = LlmWith<Declared>;
export type Prompt = PromptWith<Declared>;
`;
}

/**
 * The files that tell an editor how to read a folder with tasks, wherever it lies, by their names. Tasks have the
 * sandbox's globals, their tests those of Node; the one file that editors look for names the two others.
 */
export function taskTsconfigs(project: string): Record<string, string> {
  const references = [{ path: './tsconfig.tasks.json' }, { path: './tsconfig.tests.json' }];
  return {
    'tsconfig.json': json({ files: [], references }),
    'tsconfig.tasks.json': taskTsconfig(`${project}/sandbox-lib`),
    'tsconfig.tests.json': json({
      extends: `${project}/tsconfig.json`,
      compilerOptions: {
        ...MODULES,
        typeRoots: [`${project}/node_modules/@types`],
        paths: { 'backroom/testing': [`${project}/sandbox-lib/testing.ts`] },
      },
      include: ['*.test.ts'],
    }),
  };
}

/** That of the tasks alone; `sandboxLib` is the absolute path of that folder. */
export function taskTsconfig(sandboxLib: string): string {
  return json({
    extends: `${sandboxLib}/tsconfig.json`,
    compilerOptions: { ...MODULES, paths: { backroom: [`${sandboxLib}/index.ts`] } },
    include: ['.'],
    exclude: ['*.test.ts', 'node_modules'],
  });
}

/** For `nodenext`, which the project has, a folder without a package.json would hold CommonJS. */
const MODULES = { module: 'esnext', moduleResolution: 'bundler' };

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
