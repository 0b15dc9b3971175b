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

/** The `tsconfig.json` of a folder with tasks, wherever it lies; `sandboxLib` is the absolute path of that folder. */
export function taskTsconfig(sandboxLib: string): string {
  const config = {
    extends: `${sandboxLib}/tsconfig.json`,
    compilerOptions: {
      // A folder without a package.json would hold CommonJS for `nodenext`.
      module: 'esnext',
      moduleResolution: 'bundler',
      paths: { backroom: [`${sandboxLib}/index.ts`], 'backroom/testing': [`${sandboxLib}/testing.ts`] },
    },
    include: ['.'],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
