import facts from 'virtual:task-facts';
import { functionPermissions } from '../../../contract/script-library.ts';

/** The calls in a source that need a permission, by their names in the text: `orders.update_status`, `notify`. */
export function callsNeeding(permission: string, source: string): string[] {
  const found = new Set<string>();
  for (const [, resource = '', name = ''] of source.matchAll(/\badmin\s*\.\s*(\w+)\s*\.\s*(\w+)/g)) {
    const needed = facts.needs[`${resource}.${name === 'each' ? 'list' : name}`];
    // Write implies read.
    if (needed === permission || needed?.replace(/read$/, 'write') === permission) found.add(`${resource}.${name}`);
  }
  for (const { name, needs, pattern } of functions) if (needs === permission && pattern.test(source)) found.add(name);
  return [...found];
}

/** Whether the source seems to need the permission; a call by path cannot be seen. */
export function usesPermission(permission: string, source: string): boolean {
  return callsNeeding(permission, source).length > 0;
}

/** How a source names each function of the library that needs a permission. */
const functions = Object.entries(functionPermissions).map(([name, needs]) => ({
  name,
  needs,
  pattern: new RegExp(name.includes('.') ? `\\b${name.replace('.', '\\s*\\.\\s*')}\\b` : `(?<![.\\w$]\\s*)${name}\\s*\\(`),
}));
