/** What an agent should do after a refusal, by its code. */
const HINTS: Readonly<Record<string, string>> = {
  forbidden: 'Ask the person who connected you for the permission, or do without it.',
  permission_not_held: 'A script may have at most your own permissions: leave the permission out, or ask for it.',
  unknown_permission: 'search_api names the permission of each operation.',
  route_not_found: 'search_api names the operations that there are.',
  not_found: 'Look for the id with tasks, runs or call.',
  version_outdated: 'Read the newest version with tasks, and base yours on it.',
  too_many: 'Read with tasks (task_id, version_id) what was decided, or take one back: propose with withdraw.',
  rate_limited: 'Wait, then go on with fewer calls.',
  evidence_not_of_version: 'Make a dry run of exactly what you submit, with its permissions, grants and parameters.',
};

export function hintFor(code: string): string {
  const hint = HINTS[code];
  return hint === undefined ? '' : `\n${hint}`;
}
