import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { permissionUses } from '../../../contract/permission-uses.ts';
import { holds, isTaskPermission } from '../../../contract/permissions.ts';
import { taskCalls } from '../../../contract/task-calls.ts';
import type { CheckedDraft } from '../../../contract/task-drafts.ts';
import type { Services } from '../../services.ts';

/** Tells what is wrong with a draft, as the editor does, without running it. */
export async function checkDraft(
  { checker, types }: Services,
  { source_code: source, permissions, parameters }: InputOf<Endpoints['ai_tasks.check_draft']>['body'],
): Promise<CheckedDraft> {
  const [{ warnings }, { faults, needed, unchecked }] = await Promise.all([
    checker.check(source),
    types.check({ source, permissions, parameters }),
  ]);
  // The text names calls in what has no types; the types know those that have another name in the text.
  const needs = new Set([...needed, ...permissionUses(source, taskCalls()).map((use) => use.needs)].filter(isTaskPermission));
  const declared = new Set<string>(permissions);
  const unused = permissions.filter((one) => !needs.has(one));
  return {
    warnings,
    type_faults: faults,
    unchecked,
    permissions_missing: [...needs].filter((one) => !holds(declared, one)).sort(),
    permissions_unused: unused.map((permission) => {
      const enough = permission.replace(/write$/, 'read');
      return { permission, enough: isTaskPermission(enough) && needs.has(enough) ? enough : null };
    }),
  };
}
