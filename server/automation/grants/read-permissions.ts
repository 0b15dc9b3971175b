import { z } from 'zod';
import { isTaskPermission, type Permission, taskPermissions } from '../../../contract/permissions.ts';
import { readsAboutPeople } from '../../../contract/personal-data.ts';
import { isBlind, may } from '../../verbs/context.ts';

/** What a script with these permissions may read: its output may contain it, so readers of the output need the same permissions. */

/**
 * The read permissions that a script with these permissions has and the caller lacks. An agent that may not see personal data lacks those by
 * which the script may have read it.
 */
export function missingReadsOf(actor: Parameters<typeof may>[0], permissions: Iterable<string>): Permission[] {
  return readsOf(permissions).filter((wanted) => !may(actor, wanted) || (isBlind(actor) && readsAboutPeople(wanted)));
}

/** All read permissions that the actor has, of those that a task may be granted. */
export function readsHeldBy(actor: Parameters<typeof may>[0]): Permission[] {
  return readsOf(taskPermissions).filter((wanted) => may(actor, wanted));
}

const Strings = z.array(z.string());

export function readPermissions(permissions: string): string[] {
  return Strings.parse(JSON.parse(permissions));
}

/**
 * Permissions that let a script read nothing that needs protection: every admin may read notifications; questions,
 * completions and written files give a script no data of the shop.
 */
const READS_NO_SHOP_DATA = new Set<Permission>(['admin_api.notifications.read', 'prompt_input', 'llm', 'file_download']);

/** What another system sends to a hook may be about customers and their orders, whatever the version of the run may read. */
export const READS_HOOK_CONTENT: readonly string[] = ['admin_api.customers.read', 'admin_api.orders.read'];
const HOOK_CONTENT = 'hook:';

/** Stands among the permissions of a lineage for what this hook was sent. */
export function contentOfHook(hookId: number): string {
  return `${HOOK_CONTENT}${hookId}`;
}

function readsOf(permissions: Iterable<string>): Permission[] {
  const reads = [...permissions].flatMap((one) => (one.startsWith(HOOK_CONTENT) ? READS_HOOK_CONTENT : one.replace(/\.write$/, '.read')));
  return [...new Set(reads.filter(isTaskPermission))].filter((one) => !READS_NO_SHOP_DATA.has(one));
}
