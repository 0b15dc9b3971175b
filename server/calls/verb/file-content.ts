import { isDownloadable } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import type { Db } from '../../db/open.ts';
import type { Actor } from '../../verbs/context.ts';
import type { FileAnswer } from '../../verbs/file-answer.ts';
import { refuseValue } from '../../verbs/problem.ts';
import type { ContentRoute, Input } from '../../verbs/route.ts';
import type { Executor } from '../call.ts';
import { checkPermission } from '../permission.ts';
import { checkIds, findRecord } from './record-etags.ts';

/** Refuses a path below /admin/api that does not lead to the content of a file which the actor may read, or whose record is gone. */
export async function checkContent(executor: Executor, db: Db, actor: Actor, path: string): Promise<void> {
  const { endpoint, params } = contentAt(executor, actor, path);
  await findRecord(executor.recordVersions, db, { endpoint, params, actor });
}

/** Opens the content at a path below /admin/api, as a GET request of the actor would. */
export async function openContent(executor: Executor, actor: Actor, path: string): Promise<FileAnswer> {
  const { services, recordVersions } = executor;
  const { endpoint, route, params, query } = contentAt(executor, actor, path);
  await services.store.snapshot((db) => findRecord(recordVersions, db, { endpoint, params, actor }));
  return route.open({ services, actor, params, query });
}

/**
 * Finds the endpoint by the router itself, so a path that is spelt in another way leads nowhere else than its request would. The permission
 * and the values are checked as in a request.
 */
function contentAt(executor: Executor, actor: Actor, path: string) {
  const [pathname = ''] = path.split('?', 1);
  const found = pathname.startsWith('/') ? executor.find('GET', pathname) : null;
  const route = found?.target.route;
  if (!found || route?.kind !== 'content' || !isDownloadable(found.target.endpoint)) throw refuseValue('invalid_value', '/path', ACCEPTED);
  const { target, params } = found;
  checkPermission(target.endpoint, actor, params);
  checkIds(params);
  const query = target.validator.query(new URLSearchParams(path.slice(pathname.length)));
  const content: ContentRoute<Input> = route;
  return { endpoint: target.endpoint, route: content, params, query };
}

const ACCEPTED = `must be the path of the content of a file below /admin/api: ${endpointList
  .filter(isDownloadable)
  .map(({ path }) => path)
  .join(', ')}`;
