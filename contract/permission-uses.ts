import { functionPermissions } from './script-library.ts';

/** A call in a source, by its name in the text (`orders.update_status`, `notify`), and the permission that it needs. */
export type PermissionUse = { name: string; needs: string };

/**
 * The calls in a source that need permissions. `calls`: those of `admin`, each with what it needs. A call by path, or by another name, cannot be
 * seen in the text.
 */
export function permissionUses(source: string, calls: Readonly<Record<string, string>>): PermissionUse[] {
  const found = new Map<string, PermissionUse>();
  for (const [, resource = '', name = ''] of source.matchAll(/\badmin\s*\.\s*(\w+)\s*\.\s*(\w+)/g)) {
    const needs = calls[`${resource}.${name === 'each' ? 'list' : name}`];
    if (needs !== undefined) found.set(`${resource}.${name}`, { name: `${resource}.${name}`, needs });
  }
  for (const { name, needs, pattern } of functions) if (pattern.test(source)) found.set(name, { name, needs });
  return [...found.values()];
}

/** Before a call of that name: not within another name, no method of something else (but after `...`), and no function that the source declares. */
const BEFORE = '(?<![\\w$])(?<!(?<!\\.\\.)\\.\\s*)(?<!\\bfunction\\s+)';

/** How a source names each function of the library that needs a permission. */
const functions = Object.entries(functionPermissions).map(([name, needs]) => ({
  name,
  needs,
  pattern: new RegExp(name.includes('.') ? `\\b${name.replace('.', '\\s*\\.\\s*')}\\b` : `${BEFORE}${name}\\s*\\(`),
}));
