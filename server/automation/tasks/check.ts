import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { permissionUses } from '../../../contract/permission-uses.ts';
import { holds, isTaskPermission } from '../../../contract/permissions.ts';
import { taskCalls } from '../../../contract/task-calls.ts';
import type { CheckedDraft } from '../../../contract/task-drafts.ts';
import type { Services } from '../../services.ts';
import { Refusal } from '../../verbs/problem.ts';

/** Each may take long, and what is saved waits behind it for the same thread. */
const AT_ONCE_MAX = 8;
let open = 0;

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (open >= AT_ONCE_MAX) throw new Refusal('busy', 'Other drafts are being checked; try again in some seconds.');
  open += 1;
  try {
    return await work();
  } finally {
    open -= 1;
  }
}

/** Tells what is wrong with a draft, as the editor does, without running it. */
export async function checkDraft(
  { checker, types }: Pick<Services, 'checker' | 'types'>,
  { source_code: source, permissions, parameters }: InputOf<Endpoints['ai_tasks.check_draft']>['body'],
): Promise<CheckedDraft> {
  const [{ warnings }, { faults, needed, unchecked }] = await oneOfFew(() =>
    Promise.all([checker.check(source), types.check({ source, permissions, parameters })]),
  );
  // The text names calls in what has no types; the types know those that have another name in the text.
  const needs = new Set([...needed, ...permissionUses(source, taskCalls()).map((use) => use.needs)].filter(isTaskPermission));
  const declared = new Set<string>(permissions);
  const missing = [...needs].filter((one) => !holds(declared, one));
  const unused = permissions.filter((one) => !needs.has(one));
  return {
    warnings,
    type_faults: faults,
    unchecked,
    // Who may write may read.
    permissions_missing: missing.filter((one) => !holds(new Set(missing.filter((other) => other !== one)), one)).sort(),
    permissions_unused: unused.map((permission) => {
      const enough = permission.replace(/write$/, 'read');
      return { permission, enough: isTaskPermission(enough) && needs.has(enough) ? enough : null };
    }),
  };
}
