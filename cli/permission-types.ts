import { canonicalPermission } from '../contract/permissions.ts';

/**
 * The text of the module `NAME.permissions.ts` beside a task. It types the globals by these permissions, so that an editor
 * flags calls that the server would refuse.
 */
export function permissionsModule(permissions: readonly string[]): string {
  const declared = [...new Set(permissions.map(canonicalPermission))];
  const union = declared.length === 0 ? ' never' : declared.map((permission) => `\n  | ${JSON.stringify(permission)}`).join('');
  return `// Made from the permissions in the task's .task.json, and written anew by \`backroom task push\` and \`pull\`.
import type { ScriptWith } from 'backroom';

type Declared =${union};

export type Script = ScriptWith<Declared>;
`;
}
