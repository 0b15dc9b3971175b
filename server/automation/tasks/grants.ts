import type { Declared } from '../../../contract/declared.ts';
import type { TaskLiteral } from '../../../contract/endpoint.ts';
import { type Grants, noGrants } from '../../../contract/grants.ts';
import { parseRule } from '../../../contract/http-allow.ts';
import type { Db } from '../../db/open.ts';
import { isPrivateHost } from '../../providers/webhooks/addresses.ts';
import type { Ctx, TaskActor } from '../../verbs/context.ts';
import { refuseMissing, refuseValues } from '../../verbs/problem.ts';
import { grantsIn } from '../grants/rules.ts';
import * as store from './store.ts';

/** The grants of versions and drafts: where and with whom their runs may use a permission. */

/** The grants of the version or draft that a run executes. Verbs check these, never what the script claims. */
export async function grantsOf(db: Db, { versionId }: Pick<TaskActor, 'versionId'>): Promise<Grants> {
  const row = await store.selectGrants(db, versionId);
  return row ? grantsIn(row) : noGrants;
}

/** The permission without which a grant has no use. */
const neededBy: Record<keyof Grants, TaskLiteral> = {
  mail_to: 'mail_send',
  http_allow: 'http_request',
  secrets: 'http_request',
  may_start: 'tasks_start',
};
const lists = ['mail_to', 'http_allow', 'secrets', 'may_start'] as const;

/** Checks the grants of a new version or draft. `within`: the pointer to it in the body. */
export async function acceptGrants(ctx: Ctx, declared: Declared, within = ''): Promise<void> {
  const useless = lists.filter((list) => declared[list].length > 0 && !declared.permissions.includes(neededBy[list]));
  const errors = useless.map((list) => ({
    pointer: `${within}/${list}`,
    parameter: null,
    code: 'invalid_value',
    detail: `needs the permission ${neededBy[list]}, which the version does not declare`,
  }));
  if (errors.length > 0) throw refuseValues(errors);
  refuseHosts(ctx, declared.http_allow, within);
  const known = await store.selectTaskNames(ctx.db, declared.may_start);
  refuseMissing(declared.may_start, new Set(known.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)), {
    code: 'task_not_found',
    what: 'task',
    pointerTo: (index) => `${within}/may_start/${index}`,
  });
}

/** Requests go where webhooks may go: to public hosts, and then encrypted, unless the shop's machine allows private ones. */
function refuseHosts({ services }: Ctx, allow: readonly string[], within: string): void {
  if (services.config.allowPrivateWebhooks) return;
  const errors = allow.flatMap((text, index) => {
    const detail = hostProblem(text);
    return detail === null ? [] : [{ pointer: `${within}/http_allow/${index}`, parameter: null, code: 'invalid_value', detail }];
  });
  if (errors.length > 0) throw refuseValues(errors);
}

function hostProblem(text: string): string | null {
  const origin = parseRule(text).value?.origin;
  if (origin === undefined) return null;
  if (isPrivateHost(origin)) return 'must not be a private address or localhost, because the server calls public hosts only';
  return origin.startsWith('https:') ? null : 'must begin with https://, because the server calls public hosts only over TLS';
}

/** The tasks of a list with their names, in the order of the list; deleted ones too. */
export async function namedTasks(db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  const rows = await store.selectTaskNames(db, ids);
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map(({ name }) => ({ id, name })));
}
