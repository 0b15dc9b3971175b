import type { Write } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { AnyRoute } from '../../verbs/route.ts';
import { type Call, type Executor, NO_BODY, type Staging, type VerbCall } from '../call.ts';
import { parsedBody } from '../input/json-body.ts';
import { checkPermission } from '../permission.ts';
import { insideVerb } from './sample.ts';

/** The parts of a call that are given when a stored write is made again. */
export type Again = Pick<Call, 'actor' | 'requestId' | 'ip' | 'prepared'> & { staging?: Staging };

/** Rebuilds a stored write as a call; refuses if the actor may not make it. */
export function writeAgain(executor: Executor, { method, path, body }: Pick<Write, 'method' | 'path' | 'body'>, again: Again): VerbCall {
  const [pathname = ''] = path.split('?', 1);
  const found = executor.find(method, pathname);
  const verb = found && verbOf(found.target.route);
  if (!found || !verb) throw new Refusal('route_not_found', `No endpoint takes ${method} ${pathname}.`);
  const { target, params } = found;
  const search = new URLSearchParams(path.slice(pathname.length));
  return {
    ...again,
    endpoint: target.endpoint,
    permission: checkPermission(target.endpoint, again.actor, params),
    params,
    verb,
    target: path,
    search,
    query: () => target.validator.query(search),
    body: body === null ? NO_BODY : parsedBody(Buffer.from(body)),
    values: (value) => target.validator.body(value),
    header: () => undefined,
    isHeavy: false,
  };
}

function verbOf(route: AnyRoute): VerbCall['verb'] | undefined {
  if (route.kind === 'steps') return insideVerb(route);
  return 'verb' in route ? (ctx, input) => route.verb(ctx, input) : undefined;
}
