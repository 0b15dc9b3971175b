/** What a version adds and takes away against another, both sorted (decisions.md TK8). */
export function permissionsDiff(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  return {
    added: after.filter((permission) => !before.includes(permission)).sort(),
    removed: before.filter((permission) => !after.includes(permission)).sort(),
  };
}
