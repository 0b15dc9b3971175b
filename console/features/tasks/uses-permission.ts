import facts from 'virtual:task-facts';
import { permissionUses } from '../../../contract/permission-uses.ts';

/** The calls in a source that need a permission, by their names in the text. Write implies read. */
export function callsNeeding(permission: string, source: string): string[] {
  const uses = permissionUses(source, facts.needs);
  return uses.filter(({ needs }) => needs === permission || needs.replace(/read$/, 'write') === permission).map(({ name }) => name);
}

/** Whether the source seems to need the permission; a call by path cannot be seen. */
export function usesPermission(permission: string, source: string): boolean {
  return callsNeeding(permission, source).length > 0;
}
